import type { FastifyInstance } from 'fastify';
import { noQuery } from '../../http/schemas.mts';
import type { WalletState } from './state.mts';

/** Adds a route without query; what is irreversible is not found where it is not served. */
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
