import { sendJson } from '../../harness/server.mts';
import { RPC, rpcError, type Cell, type Fault } from '../fault.mts';

/** Creates a fault that changes the replies in the correct answer to a batch. */
const batch = (
	name: string,
	make: (replies: Array<Record<string, unknown>>, cell: Cell) => unknown,
): Fault => ({
	name,
	do: (cell) => {
		if (!cell.isBatch) return cell.honest();
		sendJson(cell.response, 200, make(JSON.parse(cell.body) as [], cell));
	},
	then: { else: 'good' },
	only: ['batched'],
});

const failing = (error: object) => (reply: Record<string, unknown>) => ({ id: reply.id, error });

/** Faults of single batches. */
export const replies: readonly Fault[] = [
	batch('replies in another order', (replies) => replies.reverse()),
	batch('a reply that is missing', ([, ...others]) => others),
	batch('a reply that comes twice', (replies) => [...replies, ...replies]),
	batch('a reply to nobody', (replies) => [...replies, { jsonrpc: '2.0', id: 99, result: 1 }]),
	batch('replies without ids', (replies) => replies.map((reply) => ({ ...reply, id: null }))),
	batch('ids as text', (replies) => replies.map((reply) => ({ ...reply, id: String(reply.id) }))),
	{
		name: 'a call of its own that fails',
		do: (cell) => rpcError(cell, { code: 3, message: 'execution reverted' }),
		then: { else: 'fails' },
		// Operations that read a token report a revert as a missing token. Other operations report the revert itself.
		words: /execution reverted|There is no token/,
		only: RPC,
	},
];

/** Faults of a server that accepts no batches, or only smaller ones. */
export const refusedBatches: readonly Fault[] = [
	batch('one error for all', () => ({ id: null, error: { code: -32600, message: 'No batches' } })),
	batch('a list of one error', ([first]) => [
		{ id: first?.id, error: { message: 'batch too large' } },
	]),
	batch('response too large', ([first, ...others]) => [
		first,
		...others.map(failing({ code: -32003, message: 'response too large' })),
	]),
	batch('request timed out', ([first, ...others]) => [
		first,
		...others.map(failing({ code: -32002, message: 'request timed out' })),
	]),
	batch('response too large, from the first', (replies) =>
		replies.map(failing({ code: -32003, message: 'response too large' })),
	),
	...[400, 403, 405, 413, 415, 500, 502, 503, 504].map((status) => ({
		...batch('', () => undefined),
		name: `${status} for batches alone`,
		do: ({ isBatch, response, honest }: Cell) =>
			isBatch ? sendJson(response, status, {}) : honest(),
	})),
	{
		...batch('', () => undefined),
		name: 'silence for batches alone',
		isSilent: true,
		do: ({ isBatch, honest }: Cell) => (isBatch ? undefined : honest()),
	},
];
