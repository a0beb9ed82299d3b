import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { addSetting, closedObject } from '../../http/schemas.mts';

type ReflectionVersion = 'v1' | 'v1alpha';

export interface GrpcSettings {
	/** The versions of the reflection service that the server serves. */
	reflection: ReflectionVersion[];
	/** Whether the connections are silent: no bytes pass in either direction. */
	silent: boolean;
	/** The status that refuses every call. With null, calls are let through. */
	refuse: number | null;
}

export interface GrpcCall {
	/** `/package.Service/Method` */
	method: string;
	metadata: Record<string, string>;
	/** The status code of the call. It is null while the call is open, and 1 if the call ended without an answer. */
	code: number | null;
}

interface Grpc {
	settings: GrpcSettings;
	calls: GrpcCall[];
	/** The number of connections that were accepted so far on both ports. */
	connections: number;
	open: Set<Socket>;
}

export interface GrpcState {
	grpc: Grpc;
}

/** Creates the state of the gRPC server. A reset passes the open connections on and clears everything else. */
export const createGrpc = (open = new Set<Socket>()): Grpc => ({
	settings: { reflection: ['v1', 'v1alpha'], silent: false, refuse: null },
	calls: [],
	connections: 0,
	open,
});

export function dropAll(open: ReadonlySet<Socket>): void {
	for (const client of open) client.resetAndDestroy();
}

const { settings: defaults } = createGrpc();

const settingsSchema = closedObject({
	reflection: {
		type: 'array',
		uniqueItems: true,
		items: { enum: ['v1', 'v1alpha'] },
		default: defaults.reflection,
	},
	silent: { type: 'boolean', default: defaults.silent },
	refuse: { type: ['integer', 'null'], minimum: 1, maximum: 16, default: defaults.refuse },
});

export function addGrpcControl(app: FastifyInstance, state: GrpcState): void {
	app.get('/grpc', async () => {
		const { calls, connections, open } = state.grpc;
		return { calls, connections, openConnections: open.size };
	});
	addSetting<GrpcSettings>(app, '/grpc', settingsSchema, (settings) => {
		state.grpc.settings = settings;
	});
	app.post('/grpc/drop', async () => {
		const dropped = state.grpc.open.size;
		dropAll(state.grpc.open);
		return { dropped };
	});
}
