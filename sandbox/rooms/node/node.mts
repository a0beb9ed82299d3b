import type { FastifyError, FastifyPluginCallback } from 'fastify';
import type { Chain } from '../../chain/chain.mts';
import { lagging } from '../../chain/lag.mts';
import { refuseBatches } from '../../rpc/batches.mts';
import { jsonRpc } from '../../rpc/jsonRpc.mts';
import type { FindMethod } from '../../rpc/method.mts';
import type { Secrets } from '../../secrets.mts';
import type { ApiName } from '../../names.mts';
import type { SandboxState } from '../../state.mts';
import { guardNode, pathAfterToken, routedUrl } from '../../wire/access.mts';
import { limitRequests } from '../../wire/limits.mts';
import { openRoom, withoutQuery } from '../../wire/room.mts';
import { evmMethod } from '../evm/methods.mts';
import { limitSearches } from '../evm/searches.mts';
import { signerMethod } from '../signer/methods.mts';
import { simulationMethod } from '../simulation/method.mts';
import { serveSockets, socketPath } from '../sockets/sockets.mts';
import { ton } from '../ton/ton.mts';
import { wallet } from '../wallet/wallet.mts';

interface Api {
	name: ApiName;
	plugin: FastifyPluginCallback;
}

/** Every API of the node; a new one is an entry more. The control says which of them answer. */
function apis(state: SandboxState, real?: Chain): Api[] {
	const chain = real && lagging(real, state);
	const chainMethod = limitSearches(state, evmMethod);
	const rootMethod: FindMethod = (name) => simulationMethod(name) ?? chainMethod(name);
	return [
		{ name: 'evm', plugin: rpcRoute('/evm', jsonRpc(state, chain, chainMethod)) },
		{ name: 'root', plugin: rpcRoute('/', jsonRpc(state, chain, rootMethod)) },
		{ name: 'wallet', plugin: wallet(state, real) },
		{ name: 'ton', plugin: ton(state) },
	];
}

export function nodeRoom(state: SandboxState, secrets: Secrets, chain?: Chain) {
	const { authToken } = secrets;
	const app = openRoom({
		name: 'node',
		state,
		pathOf: (url) => socketPath(url, state) ?? pathAfterToken(url, authToken) ?? withoutQuery(url),
		server: { bodyLimit: 1_048_576, rewriteUrl: ({ url = '/' }) => routedUrl(url, authToken) },
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	serveSockets(app, state, secrets, chain);
	guardNode(app, secrets);
	refuseBatches(app, state);
	limitRequests(app, 'node', state);
	app.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _request, reply) =>
		reply.code(statusCode).send({ message }),
	);
	app.setNotFoundHandler((request, reply) =>
		reply.code(404).send({ message: `Nothing is served at "${request.entry.path}".` }),
	);
	for (const api of apis(state, chain)) void app.register(onlyIfServed(api, state));
	void app.register(rpcRoute('/signer', jsonRpc(state, chain, signerMethod)));
	return app;
}

const onlyIfServed =
	({ name, plugin }: Api, state: SandboxState): FastifyPluginCallback =>
	(app, options, done) => {
		app.addHook('preHandler', async (_request, reply) => {
			if (!state.serves.includes(name)) reply.callNotFound();
		});
		plugin(app, options, done);
	};

const noQuery = { type: 'object', additionalProperties: false, properties: {} };

const rpcRoute =
	(path: string, handler: ReturnType<typeof jsonRpc>): FastifyPluginCallback =>
	(app, _options, done) => {
		app.post(path, { schema: { querystring: noQuery } }, handler);
		done();
	};
