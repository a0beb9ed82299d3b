import type { FastifyError, FastifyPluginCallback } from 'fastify';
import type { Chain } from '../apis/evm/chain.mts';
import { withLag } from '../apis/evm/lag.mts';
import { createEvmMethods, createSignerMethods } from '../apis/evm/methods.mts';
import { withSearchLimits } from '../apis/evm/searches.mts';
import { createStarkMethods } from '../apis/stark/methods.mts';
import { tonApi } from '../apis/ton/tonApi.mts';
import { serveSockets, findSocketPath } from '../apis/webSocket/handshake.mts';
import { walletApi } from '../apis/witness/walletApi.mts';
import {
	type Secrets,
	addNodeGuard,
	getPathAfterToken,
	getRoutedUrl,
} from '../http/credentials.mts';
import { addLimits } from '../http/limits.mts';
import { noQuery } from '../http/schemas.mts';
import { createServer, stripQuery } from '../http/server.mts';
import { createJsonRpcHandler, type RpcState } from '../jsonRpc/answers.mts';
import { addBatchRefusal } from '../jsonRpc/batches.mts';
import type { FindMethod } from '../jsonRpc/calls.mts';
import type { ApiName, SandboxState } from '../state.mts';

interface Api {
	name: ApiName;
	plugin: FastifyPluginCallback;
}

/** Lists all APIs of the node. The control server sets which of them answer. */
function listApis(state: SandboxState, real?: Chain): Api[] {
	const chain = real && withLag(real, state);
	const findEvmMethod = withSearchLimits(state, chain, createEvmMethods(chain));
	const findStarkMethod = createStarkMethods(state);
	const findRootMethod: FindMethod = (name) => findStarkMethod(name) ?? findEvmMethod(name);
	return [
		{ name: 'evm', plugin: createRpcRoute('/evm', state, findEvmMethod) },
		{ name: 'root', plugin: createRpcRoute('/', state, findRootMethod) },
		{ name: 'wallet', plugin: walletApi(state, real) },
		{ name: 'ton', plugin: tonApi(state) },
	];
}

export function createNodeServer(state: SandboxState, secrets: Secrets, chain?: Chain) {
	const { authToken } = secrets;
	const app = createServer({
		name: 'node',
		state,
		pathOf: (url) =>
			findSocketPath(url, state) ?? getPathAfterToken(url, authToken) ?? stripQuery(url),
		server: { bodyLimit: 1_048_576, rewriteUrl: ({ url = '/' }) => getRoutedUrl(url, authToken) },
	});
	app.removeAllContentTypeParsers();
	app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
	serveSockets(app, state, secrets, chain);
	addNodeGuard(app, secrets);
	addBatchRefusal(app, state);
	addLimits(app, 'node', state);
	app.setErrorHandler<FastifyError>(({ statusCode = 500, message }, _request, reply) =>
		reply.code(statusCode).send({ message }),
	);
	app.setNotFoundHandler((request, reply) =>
		reply.code(404).send({ message: `Nothing is served at "${request.entry.path}".` }),
	);
	for (const api of listApis(state, chain)) void app.register(servedApi(api, state));
	void app.register(createRpcRoute('/signer', state, createSignerMethods(chain)));
	return app;
}

const servedApi =
	({ name, plugin }: Api, state: SandboxState): FastifyPluginCallback =>
	(app, options, done) => {
		app.addHook('preHandler', async (_request, reply) => {
			if (!state.serves.includes(name)) reply.callNotFound();
		});
		plugin(app, options, done);
	};

const createRpcRoute =
	(path: string, state: RpcState, find: FindMethod): FastifyPluginCallback =>
	(app, _options, done) => {
		app.post(path, { schema: { querystring: noQuery } }, createJsonRpcHandler(state, find));
		done();
	};
