import type { FastifyInstance } from 'fastify';
import { noQuery } from '../../http/schemas.mts';
import type { WalletState } from './state.mts';

/** Adds a route that allows no query. The routes of irreversible blocks answer 404 if the settings turn them off. */
export function addRead<Body>(
	app: FastifyInstance,
	state: WalletState,
	path: string,
	body: object,
	answer: (body: Body) => unknown,
): void {
	app.post(path, { schema: { body, querystring: noQuery } }, async (request, reply) =>
		path.startsWith('/walletsolidity') && !state.wallet.settings.solidified
			? reply.callNotFound()
			: await answer((request.body ?? {}) as Body),
	);
}
