import fastify, { type FastifyInstance } from 'fastify';
import type { Chain } from '../chain/chain.mts';
import type { SearchSettings } from '../rooms/evm/searches.mts';
import type { LagSettings } from '../chain/lag.mts';
import type { BatchSettings } from '../rpc/batches.mts';
import type { ApiName, ServerName } from '../names.mts';
import { addTonChainRoutes } from '../rooms/tonChain/control.mts';
import { resetState, type SandboxState } from '../state.mts';
import type { FaultRule } from '../wire/faults.mts';
import type { LimitSettings } from '../wire/limits.mts';
import { STRICT_OPTIONS } from '../wire/room.mts';
import * as schemas from './schemas.mts';
import { addServiceRoutes } from './services.mts';
import { addSocketRoutes } from './sockets.mts';

/** Sets what the other rooms do, and tells what they saw. */
export function createControlServer(
	state: SandboxState,
	chain: Chain | undefined,
): FastifyInstance {
	const app = fastify(STRICT_OPTIONS);
	addRecordRoutes(app, state);
	addTransportRoutes(app, state);
	addFaultRoutes(app, state);
	addNodeRoutes(app, state);
	addServiceRoutes(app, state);
	addSocketRoutes(app, state);
	addTonChainRoutes(app, state);
	app.post('/reset', async () => {
		resetState(state);
		return DONE;
	});
	app.post('/chain', { schema: { body: schemas.chainBody } }, async (request, reply) =>
		chain ? chain.forward(request.body) : reply.code(409).send({ message: 'no chain here' }),
	);
	return app;
}

const DONE = { done: true };

function addRecordRoutes(app: FastifyInstance, state: SandboxState): void {
	interface Counted {
		Querystring: { room?: ServerName; path?: string };
	}
	app.get('/record', async () => state.record);
	app.get<Counted>(
		'/record/count',
		{ schema: { querystring: schemas.countQuery } },
		async ({ query: { room, path } }) => {
			const found = state.record.filter(
				(entry) => (room ?? entry.room) === entry.room && (path ?? entry.path) === entry.path,
			);
			return { requests: found.length, calls: found.reduce((sum, { calls }) => sum + calls, 0) };
		},
	);
	app.delete('/record', async () => {
		state.record = [];
		return DONE;
	});
	app.get('/counts', async () => state.counts);
}

function addTransportRoutes(app: FastifyInstance, state: SandboxState): void {
	interface Latency {
		Body: { ms: number; room?: ServerName };
	}
	app.put<Latency>('/latency', { schema: { body: schemas.latency } }, async ({ body }) => {
		const rooms = body.room ? [body.room] : (['platform', 'node'] as const);
		for (const room of rooms) state.latency[room] = body.ms;
		return state.latency;
	});
	app.put<{ Body: LimitSettings }>(
		'/limits',
		{ schema: { body: schemas.limits } },
		async ({ body: settings }) => {
			state.limits = { settings, buckets: {} };
			return settings;
		},
	);
	app.delete('/limits', async () => {
		state.limits = null;
		return DONE;
	});
}

function addFaultRoutes(app: FastifyInstance, state: SandboxState): void {
	app.get('/faults', async () => state.faults);
	app.post<{ Body: FaultRule }>(
		'/faults',
		{ schema: { body: schemas.fault } },
		async ({ body }) => {
			state.faults = [...state.faults, body];
			return body;
		},
	);
	app.delete('/faults', async () => {
		state.faults = [];
		return DONE;
	});
}

function addNodeRoutes(app: FastifyInstance, state: SandboxState): void {
	app.put<{ Body: BatchSettings }>(
		'/batches',
		{ schema: { body: schemas.batches } },
		async ({ body }) => {
			state.batches = body;
			return body;
		},
	);
	app.put<{ Body: { serves: ApiName[] } }>(
		'/apis',
		{ schema: { body: schemas.apis } },
		async ({ body }) => {
			state.serves = body.serves;
			return body;
		},
	);
	app.put<{ Body: SearchSettings }>(
		'/searches',
		{ schema: { body: schemas.searches } },
		async ({ body }) => {
			state.searches = body;
			return body;
		},
	);
	app.put<{ Body: { strict: boolean } }>(
		'/paths',
		{ schema: { body: schemas.paths } },
		async ({ body }) => {
			state.strictPaths = body.strict;
			return body;
		},
	);
	app.put<{ Body: LagSettings }>('/lag', { schema: { body: schemas.lag } }, async ({ body }) => {
		state.lag = { settings: body, calls: 0 };
		return body;
	});
}
