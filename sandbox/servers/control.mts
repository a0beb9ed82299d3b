import fastify, { type FastifyInstance } from 'fastify';
import type { Chain } from '../apis/evm/chain.mts';
import { addLagControl } from '../apis/evm/lag.mts';
import { addSearchControl } from '../apis/evm/searches.mts';
import { addFaucetControl } from '../apis/faucet.mts';
import { addGrpcControl } from '../apis/grpc/settings.mts';
import { addPinControl } from '../apis/pins/store.mts';
import { addTonChainControl } from '../apis/ton/chainControl.mts';
import { addStarkControl } from '../apis/stark/control.mts';
import { addTonControl } from '../apis/ton/tonApi.mts';
import { addSocketControl } from '../apis/webSocket/settings.mts';
import { addWalletControl } from '../apis/witness/state.mts';
import { addFaultControl } from '../http/faults.mts';
import { addLimitControl } from '../http/limits.mts';
import { addRecordControl } from '../http/recording.mts';
import { addSetting, closedObject } from '../http/schemas.mts';
import { addLatencyControl, STRICT_OPTIONS } from '../http/server.mts';
import { addBatchControl } from '../jsonRpc/batches.mts';
import { API_NAMES, type ApiName, resetState, type SandboxState } from '../state.mts';

/**
 * The controls of the sandbox. Each one is defined next to the code that uses it, with its type, default and schema.
 */
const CONTROLS: ReadonlyArray<(app: FastifyInstance, state: SandboxState) => void> = [
	addRecordControl,
	addLatencyControl,
	addLimitControl,
	addFaultControl,
	addBatchControl,
	addSearchControl,
	addLagControl,
	addSocketControl,
	addPinControl,
	addFaucetControl,
	addWalletControl,
	addTonControl,
	addTonChainControl,
	addStarkControl,
	addGrpcControl,
];

/** Creates the server that changes the settings of the other servers and shows the record of their requests. */
export function createControlServer(
	state: SandboxState,
	chain: Chain | undefined,
): FastifyInstance {
	const app = fastify(STRICT_OPTIONS);
	for (const addControl of CONTROLS) addControl(app, state);
	addSetting<{ serves: ApiName[] }>(app, '/apis', apisSchema, ({ serves }) => {
		state.serves = serves;
	});
	addSetting<{ strict: boolean }>(app, '/paths', pathsSchema, ({ strict }) => {
		state.strictPaths = strict;
	});
	app.post('/reset', async () => {
		resetState(state);
		return { done: true };
	});
	app.post('/chain', { schema: { body: chainSchema } }, async (request, reply) =>
		chain ? chain.forward(request.body) : reply.code(409).send({ message: 'no chain here' }),
	);
	return app;
}

const apisSchema = closedObject(
	{ serves: { type: 'array', uniqueItems: true, items: { enum: API_NAMES } } },
	['serves'],
);
const pathsSchema = closedObject({ strict: { type: 'boolean' } }, ['strict']);
const chainSchema = { type: ['object', 'array'] };
