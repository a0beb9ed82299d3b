import type { FastifyInstance } from 'fastify';
import type { LimitedRoom, RoomName } from '../names.mts';
import { goDuration } from './goDuration.mts';

export interface LimitSettings {
	callsPerSecond?: number;
	as: 'rpc' | 'rpcWhole' | 'http429' | 'http503';
	retryAfter: boolean;
	/** What becomes of a body with more calls than the bucket holds. */
	oversize: 'debt' | 'refuse';
	quota?: 'monthly';
	room?: LimitedRoom;
}

export interface Limits {
	settings: LimitSettings;
	/** Tokens left and when they were counted; a room without an entry has a full bucket. */
	buckets: Partial<Record<LimitedRoom, { tokens: number; at: number }>>;
}

/** What the control room has set, and what came of it. */
interface LimitsState {
	readonly limits: Limits | null;
	readonly counts: Record<LimitedRoom, { answered: number; refused: number }>;
}

export interface Refusal {
	error: { code: number; message: string; data?: { try_again_in: string } };
	waitMs: number;
}

/** Limits whole requests; with `rpc` the JSON-RPC endpoint asks for each call of its own. */
export function limitRequests(app: FastifyInstance, room: RoomName, state: LimitsState): void {
	app.addHook('preHandler', async ({ entry }, reply) => {
		const limit = limitOf(state, room);
		if (limit?.as === 'rpc' && entry.calls > 0) return;
		const refusal = admit(state, room, Math.max(1, entry.calls));
		if (!limit || !refusal) return;
		const { error, waitMs } = refusal;
		if (limit.as === 'rpc' || limit.as === 'rpcWhole') {
			return reply.send({ jsonrpc: '2.0', id: null, error });
		}
		if (limit.retryAfter && waitMs > 0) reply.header('retry-after', Math.ceil(waitMs / 1000));
		return reply.code(limit.as === 'http429' ? 429 : 503).send({ detail: error.message });
	});
}

export function limitsEachCall(state: LimitsState, room: RoomName): boolean {
	return limitOf(state, room)?.as === 'rpc';
}

/** Lets calls through together, or says why they must wait; counts them either way. */
export function admit(state: LimitsState, room: LimitedRoom, calls: number): Refusal | undefined {
	const refusal = refuse(state, room, calls);
	state.counts[room][refusal ? 'refused' : 'answered'] += calls;
	return refusal;
}

function refuse(state: LimitsState, room: LimitedRoom, calls: number): Refusal | undefined {
	const limit = limitOf(state, room);
	if (limit?.quota) return overQuota;
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
	return passes ? undefined : overRate(waitMs);
}

/** The platform speaks no JSON-RPC, so a limit told in that form is none of its own. */
function limitOf(state: LimitsState, room: LimitedRoom): LimitSettings | undefined {
	const settings = state.limits?.settings;
	if (!settings || (settings.room ?? room) !== room) return undefined;
	return room === 'platform' && settings.as.startsWith('rpc') ? undefined : settings;
}

const overQuota: Refusal = {
	error: { code: -32005, message: "You've reached your monthly quota" },
	waitMs: 0,
};

const overRate = (waitMs: number): Refusal => ({
	error: {
		code: -32005,
		message: "You've exceeded the RPS limit available on the current plan",
		data: { try_again_in: goDuration(waitMs) },
	},
	waitMs,
});
