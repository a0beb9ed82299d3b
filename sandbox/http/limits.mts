import type { FastifyInstance } from 'fastify';
import type { ServerName } from './recording.mts';
import { addSetting, closedObject } from './schemas.mts';
import { formatGoDuration } from './time.mts';

/**
 * The servers that have limits. gRPC has limits too, but the record, the latency and the faults exist only for HTTP.
 */
type LimitedServer = ServerName | 'grpc';

interface LimitSettings {
	/** The number of calls that each server answers in a second. Its bucket holds the calls of one second. */
	callsPerSecond?: number;
	/** The form of a refusal: an error for each call, one error for the whole body, or a status. */
	as: 'rpc' | 'rpcWhole' | 'http429' | 'http503';
	/** Whether a refusal by status has the header Retry-After. */
	retryAfter: boolean;
	/**
	 * What happens to a body with more calls than the bucket holds. It waits for a full bucket and leaves a debt, or it
	 * never passes.
	 */
	oversize: 'debt' | 'refuse';
	/** If set, the monthly quota is used up, and every call is refused. */
	quota?: 'monthly';
	/** The server that the limit affects. Without it, the limit affects each server. */
	room?: LimitedServer;
}

interface Limits {
	settings: LimitSettings;
	/** The tokens that are left in each bucket and the time of the count. A server without an entry has a full bucket. */
	buckets: Partial<Record<LimitedServer, { tokens: number; at: number }>>;
}

/** The limits that the control server has set, and the number of calls that were answered and refused. */
export interface LimitState {
	limits: Limits | null;
	counts: Record<LimitedServer, { answered: number; refused: number }>;
}

interface LimitRefusal {
	error: { code: number; message: string; data?: { try_again_in: string } };
	waitMs: number;
}

/** Limits whole requests. With the setting `rpc`, the JSON-RPC endpoint limits each call instead. */
export function addLimits(app: FastifyInstance, server: ServerName, state: LimitState): void {
	app.addHook('preHandler', async ({ entry }, reply) => {
		const limit = getLimit(state, server);
		if (limit?.as === 'rpc' && entry.calls > 0) return;
		const refusal = admitCalls(state, server, Math.max(1, entry.calls));
		if (!limit || !refusal) return;
		const { error, waitMs } = refusal;
		if (limit.as === 'rpc' || limit.as === 'rpcWhole') {
			return reply.send({ jsonrpc: '2.0', id: null, error });
		}
		if (limit.retryAfter && waitMs > 0) reply.header('retry-after', Math.ceil(waitMs / 1000));
		return reply.code(limit.as === 'http429' ? 429 : 503).send({ detail: error.message });
	});
}

export function isLimitedByCall(state: LimitState, server: ServerName): boolean {
	return getLimit(state, server)?.as === 'rpc';
}

/** Lets all calls of a request pass, or returns the reason why they must wait. The calls are counted in either case. */
export function admitCalls(
	state: LimitState,
	server: LimitedServer,
	calls: number,
): LimitRefusal | undefined {
	const refusal = findLimitRefusal(state, server, calls);
	state.counts[server][refusal ? 'refused' : 'answered'] += calls;
	return refusal;
}

function findLimitRefusal(
	state: LimitState,
	server: LimitedServer,
	calls: number,
): LimitRefusal | undefined {
	const limit = getLimit(state, server);
	if (limit?.quota) return OVER_QUOTA;
	if (!state.limits || !limit?.callsPerSecond) return undefined;
	const rate = limit.callsPerSecond;
	const capacity = Math.max(1, rate);
	const now = performance.now();
	const bucket = state.limits.buckets[server] ?? { tokens: capacity, at: now };
	const tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1000) * rate);
	const fits = calls <= capacity || limit.oversize === 'debt';
	const waitMs = fits ? ((Math.min(calls, capacity) - tokens) / rate) * 1000 : 1000;
	const passes = waitMs < 0.001;
	state.limits.buckets[server] = { tokens: passes ? tokens - calls : tokens, at: now };
	return passes ? undefined : buildOverRate(waitMs);
}

/** Returns the limit of a server. The platform has no JSON-RPC, so limits in a JSON-RPC form do not affect it. */
function getLimit(state: LimitState, server: LimitedServer): LimitSettings | undefined {
	const settings = state.limits?.settings;
	if (!settings || (settings.room ?? server) !== server) return undefined;
	return server === 'platform' && settings.as.startsWith('rpc') ? undefined : settings;
}

const OVER_QUOTA: LimitRefusal = {
	error: { code: -32005, message: "You've reached your monthly quota" },
	waitMs: 0,
};

const buildOverRate = (waitMs: number): LimitRefusal => ({
	error: {
		code: -32005,
		message: "You've exceeded the RPS limit available on the current plan",
		data: { try_again_in: formatGoDuration(waitMs) },
	},
	waitMs,
});

const limitSchema = {
	...closedObject({
		callsPerSecond: { type: 'number', exclusiveMinimum: 0 },
		as: { type: 'string', enum: ['rpc', 'rpcWhole', 'http429', 'http503'], default: 'rpc' },
		retryAfter: { type: 'boolean', default: true },
		oversize: { type: 'string', enum: ['debt', 'refuse'], default: 'debt' },
		quota: { type: 'string', enum: ['monthly'] },
		room: { type: 'string', enum: ['platform', 'node', 'grpc'] },
	}),
	description: 'an object with callsPerSecond or quota',
	anyOf: [{ required: ['callsPerSecond'] }, { required: ['quota'] }],
};

export function addLimitControl(app: FastifyInstance, state: LimitState): void {
	addSetting<LimitSettings>(app, '/limits', limitSchema, (settings) => {
		state.limits = { settings, buckets: {} };
	});
	app.delete('/limits', async () => {
		state.limits = null;
		return { done: true };
	});
	app.get('/counts', async () => state.counts);
}
