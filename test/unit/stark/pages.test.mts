import { readEvents } from '../../../nodes/core/stark/eventRange';
import type { EventFilter } from '../../../nodes/core/stark/events';
import { createStarkNode } from '../../../nodes/core/stark/reader';
import { collectAll, createChain } from '../support/chains.mts';

/** These tests check pages of events that a correct node would never give. */

const emitted = (block: number | null, change: object = {}) => ({
	from_address: '0x1',
	keys: ['0x2', '0x3'],
	data: [],
	...(block !== null && { block_number: block, block_hash: `0x${block}0` }),
	transaction_hash: '0x5',
	...change,
});

type Page = { readonly events: readonly object[]; readonly continuation_token?: string };

interface Asked {
	readonly chunk_size: number;
	readonly continuation_token?: string;
}

const FILTER: EventFilter = { contract: 1n, keys: [[2n, 9n], []] };

/** Reads the events of blocks 1 to 10 from a node that answers as given. Returns the block numbers of the events. */
async function read(
	answer: (asked: Asked) => Page,
	{ filter = FILTER, limit = Infinity }: { filter?: EventFilter; limit?: number } = {},
) {
	const chain = createChain((_method, [asked]) => answer(asked as unknown as Asked));
	const node = createStarkNode(chain, 'starknet');
	const events = await collectAll(readEvents(node, filter, { from: 1, to: 10 }, limit));
	return events.map(({ blockNumber }) => blockNumber);
}

test.each<[string, object, RegExp]>([
	['another contract', { from_address: '0x11' }, /events of the contract/],
	['another key', { keys: ['0x4', '0x3'] }, /events with the keys/],
	['fewer keys', { keys: [] }, /events with the keys/],
	['a block before', { block_number: 0 }, /events of the blocks that were asked for, in order/],
	['a block behind', { block_number: 11 }, /events of the blocks that were asked for, in order/],
	['a block of before the last event', { block_number: 4 }, /of the blocks .* in order/],
])('an event of %s is refused', async (_, change, message) => {
	const events = [emitted(5), emitted(6, change)];
	await expect(read(() => ({ events }))).rejects.toThrow(message);
	const pages: Page[] = [
		{ events: events.slice(0, 1), continuation_token: 'next' },
		{ events: events.slice(1) },
	];
	await expect(read(() => pages.shift()!)).rejects.toThrow(message);
});

test('keys that may be anything let events through that have fewer', async () => {
	const filter = { contract: 1n, keys: [[2n], []] };
	expect(await read(() => ({ events: [emitted(5, { keys: ['0x02'] })] }), { filter })).toEqual([5]);
});

test('a page that comes again is refused before its events count', async () => {
	const page = { events: [emitted(5), emitted(5)], continuation_token: 'again' };
	await expect(read(() => page, { limit: 3 })).rejects.toThrow(/same page of a list twice/);
	expect(await read(() => page, { limit: 2 })).toEqual([5, 5]);
});

test('pages without events end, whatever tokens come with them', async () => {
	let asked = 0;
	const next = () => ({ events: [], continuation_token: String(asked++) });
	await expect(read(next)).rejects.toThrow(/an end of its pages/);
	expect(asked).toBeLessThan(1100);
	let left = 500;
	const late = () =>
		left-- > 0 ? { events: [], continuation_token: String(left) } : { events: [emitted(9)] };
	expect(await read(late)).toEqual([9]);
});

test('what is in the block being made is left out, though it has a number', async () => {
	const events = [emitted(9), emitted(10, { block_hash: undefined }), emitted(null)];
	expect(await read(() => ({ events }))).toEqual([9]);
});

test('where the last block is asked for by its hash, an event without one is for its reader to refuse', async () => {
	const events = [emitted(9), emitted(10, { block_hash: undefined })];
	const filter = { ...FILTER, lastBlock: { number: 10, hash: '0x100' } };
	expect(await read(() => ({ events }), { filter })).toEqual([9, 10]);
});

test('a page with more events than were requested is refused', async () => {
	const give =
		(more: number) =>
		({ chunk_size }: Asked): Page => ({ events: Array(chunk_size + more).fill(emitted(5)) });
	expect(await read(give(0))).toHaveLength(1000);
	await expect(read(give(1))).rejects.toThrow('a page of at most 1000 events');
});
