import type { FastifyError, FastifyPluginCallback } from 'fastify';
import type { Chain } from '../../chain/chain.mts';
import { withLag } from '../../chain/lag.mts';
import { addBatchRefusal } from '../../rpc/batches.mts';
import { createJsonRpcHandler } from '../../rpc/jsonRpc.mts';
import type { FindMethod } from '../../rpc/method.mts';
import type { Secrets } from '../../secrets.mts';
import type { ApiName } from '../../names.mts';
import type { SandboxState } from '../../state.mts';
import { addNodeGuard, getPathAfterToken, getRoutedUrl } from '../../wire/access.mts';
import { addLimits } from '../../wire/limits.mts';
import { createServer, stripQuery } from '../../wire/room.mts';
import { findEvmMethod } from '../evm/methods.mts';
import { withSearchLimits } from '../evm/searches.mts';
import { findSignerMethod } from '../signer/methods.mts';
import { findSimulationMethod } from '../simulation/method.mts';
import { serveSockets, findSocketPath } from '../sockets/sockets.mts';
import { tonApi } from '../ton/ton.mts';
import { walletApi } from '../wallet/wallet.mts';

interface Api {
	name: ApiName;
	plugin: FastifyPluginCallback;
}

/** Every API of the node; a new one is an entry more. The control says which of them answer. */
function listApis(state: SandboxState, real?: Chain): Api[] {
	const chain = real && withLag(real, state);
	const chainMethod = withSearchLimits(state, findEvmMethod);
	const rootMethod: FindMethod = (name) => findSimulationMethod(name) ?? chainMethod(name);
	return [
		{
			name: 'evm',
			plugin: createRpcRoute('/evm', createJsonRpcHandler(state, chain, chainMethod)),
		},
		{ name: 'root', plugin: createRpcRoute('/', createJsonRpcHandler(state, chain, rootMethod)) },
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
	void app.register(
		createRpcRoute('/signer', createJsonRpcHandler(state, chain, findSignerMethod)),
	);
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

const noQuerySchema = { type: 'object', additionalProperties: false, properties: {} };

const createRpcRoute =
	(path: string, handler: ReturnType<typeof createJsonRpcHandler>): FastifyPluginCallback =>
	(app, _options, done) => {
		app.post(path, { schema: { querystring: noQuerySchema } }, handler);
		done();
	};
