import type { FastifyInstance } from 'fastify';
import type { LimitedServer, ServerName } from '../names.mts';
import { formatGoDuration } from './goDuration.mts';

export interface LimitSettings {
	callsPerSecond?: number;
	as: 'rpc' | 'rpcWhole' | 'http429' | 'http503';
	retryAfter: boolean;
	/** What becomes of a body with more calls than the bucket holds. */
	oversize: 'debt' | 'refuse';
	quota?: 'monthly';
	room?: LimitedServer;
}

export interface Limits {
	settings: LimitSettings;
	/** Tokens left and when they were counted; a room without an entry has a full bucket. */
	buckets: Partial<Record<LimitedServer, { tokens: number; at: number }>>;
}

/** What the control room has set, and what came of it. */
interface LimitsState {
	readonly limits: Limits | null;
	readonly counts: Record<LimitedServer, { answered: number; refused: number }>;
}

export interface LimitRefusal {
	error: { code: number; message: string; data?: { try_again_in: string } };
	waitMs: number;
}

/** Limits whole requests; with `rpc` the JSON-RPC endpoint asks for each call of its own. */
export function addLimits(app: FastifyInstance, room: ServerName, state: LimitsState): void {
	app.addHook('preHandler', async ({ entry }, reply) => {
		const limit = getLimit(state, room);
		if (limit?.as === 'rpc' && entry.calls > 0) return;
		const refusal = admitCalls(state, room, Math.max(1, entry.calls));
		if (!limit || !refusal) return;
		const { error, waitMs } = refusal;
		if (limit.as === 'rpc' || limit.as === 'rpcWhole') {
			return reply.send({ jsonrpc: '2.0', id: null, error });
		}
		if (limit.retryAfter && waitMs > 0) reply.header('retry-after', Math.ceil(waitMs / 1000));
		return reply.code(limit.as === 'http429' ? 429 : 503).send({ detail: error.message });
	});
}

export function isLimitedByCall(state: LimitsState, room: ServerName): boolean {
	return getLimit(state, room)?.as === 'rpc';
}

/** Lets calls through together, or says why they must wait; counts them either way. */
export function admitCalls(
	state: LimitsState,
	room: LimitedServer,
	calls: number,
): LimitRefusal | undefined {
	const refusal = findLimitRefusal(state, room, calls);
	state.counts[room][refusal ? 'refused' : 'answered'] += calls;
	return refusal;
}

function findLimitRefusal(
	state: LimitsState,
	room: LimitedServer,
	calls: number,
): LimitRefusal | undefined {
	const limit = getLimit(state, room);
	if (limit?.quota) return OVER_QUOTA;
	if (!state.limits || !limit?.callsPerSecond) return undefined;
	const rate = limit.callsPerSecond;
	const capacity = Math.max(1, rate);
	const now = performance.now();
	const bucket = state.limits.buckets[room] ?? { tokens: capacity, at: now };
	const tokens = Math.min(capacity, bucket.tokens + ((now - bucket.at) / 1000) * rate);
	const fits = calls <= capacity || limit.oversize === 'debt';
	const waitMs = fits ? ((Math.min(calls, capacity) - tokens) / rate) * 1000 : 1000;
	const passes = waitMs < 0.001;
	state.limits.buckets[room] = { tokens: passes ? tokens - calls : tokens, at: now };
	return passes ? undefined : buildOverRate(waitMs);
}

/** The platform speaks no JSON-RPC, so a limit told in that form is none of its own. */
function getLimit(state: LimitsState, room: LimitedServer): LimitSettings | undefined {
	const settings = state.limits?.settings;
	if (!settings || (settings.room ?? room) !== room) return undefined;
	return room === 'platform' && settings.as.startsWith('rpc') ? undefined : settings;
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
