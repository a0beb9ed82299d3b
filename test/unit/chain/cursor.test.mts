import { advanceCursor } from '../../../nodes/core/chain/advance';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import {
	extendCursor,
	rollBack,
	hasBlock,
	trimForStorage,
	createCursorAfter,
	type ChainEvent,
	type Cursor,
} from '../../../nodes/core/chain/cursor';
import type { BlockRef } from '../../../nodes/core/chain/blocks';

const block = (number: number, fork = 'a'): BlockRef => ({ number, hash: `0x${fork}${number}` });

function events(number: number, count: number): ChainEvent[] {
	return Array.from({ length: count }, (_, id) => ({ block: block(number), json: { number, id } }));
}

function toldIn({ checkpoints: marks }: Cursor): number {
	return marks.reduce((sum, { emitted = [] }) => sum + emitted.length, 0);
}

/** Moves a cursor forward by a number of blocks, each with the given number of events. */
function after(blocks: number, each: number): Cursor {
	let cursor = createCursorAfter(block(0));
	for (let number = 1; number <= blocks; number++) {
		cursor = extendCursor(cursor, block(number), events(number, each), true).cursor;
	}
	return cursor;
}

test('it begins after a block and knows it', () => {
	const cursor = createCursorAfter(block(7));
	expect(cursor).toMatchObject({ next: 8, highest: 7 });
	expect(hasBlock(cursor, block(7))).toBe(true);
	expect(hasBlock(cursor, block(7, 'b'))).toBe(false);
});

test('it stays small: 64 blocks, and what was emitted of the latest of them', () => {
	const cursor = after(200, 400);
	expect(cursor.checkpoints).toHaveLength(64);
	expect(toldIn(cursor)).toBe(20_000);
});

test('what is kept in the database is smaller: 500 things emitted', () => {
	const cursor = trimForStorage(after(200, 20));
	expect(cursor.checkpoints).toHaveLength(64);
	expect(cursor.checkpoints.at(-1)?.number).toBe(200);
	expect(toldIn(cursor)).toBe(500);
	expect(cursor.checkpoints.filter(({ emitted }) => emitted).map(({ number }) => number)).toEqual(
		Array.from({ length: 25 }, (_, index) => 176 + index),
	);
	expect(JSON.parse(JSON.stringify(cursor))).toEqual(cursor);
});

test('a block with too much for the database is kept there without it', () => {
	const { cursor, emissions } = extendCursor(
		createCursorAfter(block(0)),
		block(1),
		events(1, 501),
		true,
	);
	expect(emissions).toHaveLength(501);
	expect(rollBack(cursor, 1, true).emissions).toHaveLength(501);
	expect(trimForStorage(cursor).checkpoints.at(-1)).toEqual(block(1));
});

test('what was emitted is taken back from the latest to the first', () => {
	const { cursor, emissions } = rollBack(after(5, 2), 4, true);
	expect(cursor).toMatchObject({ next: 4, highest: 5 });
	expect(emissions.map(({ json, change: fate }) => [json.number, json.id, fate])).toEqual([
		[5, 1, 'removed'],
		[5, 0, 'removed'],
		[4, 1, 'removed'],
		[4, 0, 'removed'],
	]);
});

test('what another event emitted is not taken back', () => {
	expect(rollBack(after(5, 2), 4, false).emissions).toEqual([]);
});

test('without a canonical block it begins at the oldest that it knew', () => {
	expect(rollBack(after(5, 1), 0, true).cursor).toMatchObject({ checkpoints: [], next: 1 });
	expect(rollBack(after(100, 1), 0, true).cursor).toMatchObject({ checkpoints: [], next: 37 });
});

test('a second reorganization below the beginning loses nothing', async () => {
	const on = (fork: string, busy: number) => ({
		emitsRemovals: true,
		readBlockRef: async (number: number) => block(number, fork),
		readEvents: async () => [{ block: block(busy, fork), json: { fork } }],
	});
	const start = createCursorAfter(block(10));
	const first = await advanceCursor(start, 15, on('b', 14));
	const second = await advanceCursor(first.cursor, 15, on('c', 12));
	expect(second.emissions).toEqual([
		{ block: '0xb14', json: { fork: 'b' }, change: 'removed' },
		{ block: '0xc12', json: { fork: 'c' }, change: 'replacing' },
	]);
	expect(second.cursor.checkpoints.map(({ number }) => number)).toEqual([12, 15]);
});

test('a first block that the node turns away does not stop it', async () => {
	const view = {
		emitsRemovals: true,
		readBlockRef: async (number: number) => {
			if (number === 11) throw new RequestFailure('null round');
			return block(number);
		},
		readEvents: async () => [{ block: block(12), json: {} }],
	};
	expect((await advanceCursor(createCursorAfter(block(10)), 15, view)).emissions).toHaveLength(1);
});
