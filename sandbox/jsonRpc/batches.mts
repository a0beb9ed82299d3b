import { randomInt } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { addSetting, closedObject } from '../http/schemas.mts';
import { buildErrorReply, type Reply, type RpcError, rpcErrorSchema } from './calls.mts';

/** The faults of the node in answers to batches. Positions count from 0 in the batch as it was sent. */
interface BatchSettings {
	/**
	 * The answer to a batch that is too long: a JSON-RPC error, a status, or a closed connection. Null refuses no batch.
	 */
	refuse: 'error' | '400' | '413' | 'close' | null;
	/** The highest number of calls in a batch. A batch with more calls is too long. */
	max: number;
	/** The order of the replies. Null is the order of the calls. */
	order: 'shuffle' | 'reverse' | null;
	/** The positions of the replies that are left out. */
	drop: number[];
	/** The positions of the replies that come twice. */
	duplicate: number[];
	/** The errors that take the place of replies. `index` is the position of the reply. */
	fail: { index: number; error: RpcError }[];
}

export interface BatchState {
	batches: BatchSettings;
}

export const createBatchSettings = (): BatchSettings => ({
	refuse: null,
	max: 1,
	order: null,
	drop: [],
	duplicate: [],
	fail: [],
});

export function addBatchRefusal(app: FastifyInstance, state: BatchState): void {
	app.addHook('preHandler', async (request, reply) => {
		const { refuse, max } = state.batches;
		const { body } = request.entry;
		if (!refuse || !Array.isArray(body) || body.length <= max) return;
		const message = `batches of more than ${max} are not accepted`;
		if (refuse === 'error') return reply.send(buildErrorReply(null, { code: -32600, message }));
		if (refuse !== 'close') return reply.code(Number(refuse)).send({ message });
		reply.hijack();
		request.raw.socket.destroy();
	});
}

export function mistreatReplies(replies: Reply[], settings: BatchSettings): Reply[] {
	const errors = new Map(settings.fail.map(({ index, error }) => [index, error]));
	const kept = replies.flatMap((reply, index) => {
		if (settings.drop.includes(index)) return [];
		const error = errors.get(index);
		const answer = error ? buildErrorReply(reply.id, error) : reply;
		return settings.duplicate.includes(index) ? [answer, answer] : [answer];
	});
	if (settings.order === 'reverse') return kept.reverse();
	return settings.order === 'shuffle' ? shuffle(kept) : kept;
}

function shuffle<T>(values: readonly T[]): T[] {
	const left = [...values];
	return values.flatMap(() => left.splice(randomInt(left.length), 1));
}

const position = { type: 'integer', minimum: 0 };
const positions = { type: 'array', items: position, default: [] };

const batchSchema = closedObject({
	refuse: { enum: ['error', '400', '413', 'close', null], default: null },
	max: { type: 'integer', minimum: 0, default: 1 },
	order: { enum: ['shuffle', 'reverse', null], default: null },
	drop: positions,
	duplicate: positions,
	fail: {
		type: 'array',
		items: closedObject({ index: position, error: rpcErrorSchema }, ['index', 'error']),
		default: [],
	},
});

export function addBatchControl(app: FastifyInstance, state: BatchState): void {
	addSetting<BatchSettings>(app, '/batches', batchSchema, (settings) => {
		state.batches = settings;
	});
}
