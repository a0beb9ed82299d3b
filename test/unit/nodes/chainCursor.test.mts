import {
	extendCursor,
	createCursorAfter,
	type SavedCursor,
} from '../../../nodes/core/chain/cursor';
import { ChainCursor } from '../../../nodes/EvmRpcTrigger/chainFollower';

const blockRef = (number: number) => ({ number, hash: `0x${number}` });
const CHAIN = { id: '1', first: '0xaa' };
const NAMELESS = { id: '1', first: null };

const AT_5000: SavedCursor = {
	chain: CHAIN,
	watched: 'blocks',
	cursor: createCursorAfter(blockRef(5000)),
};

/** The highest number of blocks that are read after a restart of n8n. */
const MAX_BLOCKS = 100_000;

const cursorWith = (saved?: SavedCursor, watched = 'blocks') =>
	new ChainCursor(saved, watched, MAX_BLOCKS);

const RESUMED = { isNew: false, isOtherChain: false };
const BEGUN = { isNew: true, isOtherChain: false };
const BEGUN_ELSEWHERE = { isNew: true, isOtherChain: true };

test('the first time it begins at the head', () => {
	const cursor = cursorWith();
	expect(cursor.resume(CHAIN, blockRef(7))).toEqual(BEGUN);
	expect(cursor.saved).toEqual({
		chain: CHAIN,
		watched: 'blocks',
		cursor: createCursorAfter(blockRef(7)),
	});
});

test.each([
	['the chain has not grown', CHAIN, CHAIN, 5000],
	['a node is far behind', CHAIN, CHAIN, 0],
	['the first block of the chain is about to come', CHAIN, NAMELESS, 0],
	['a node that has pruned the first block is a little behind', CHAIN, NAMELESS, 4000],
	['a node that had pruned the first block is a little behind', NAMELESS, CHAIN, 4000],
	['much was missed', CHAIN, CHAIN, 105_000],
])('it goes on where it stopped when %s', (_why, before, chain, head) => {
	const saved = { ...AT_5000, chain: before };
	const cursor = cursorWith(saved);
	expect(cursor.resume(chain, blockRef(head))).toEqual(RESUMED);
	expect(cursor.saved.cursor).toEqual(saved.cursor);
});

test.each([
	['it is another chain', CHAIN, { id: '2', first: '0xaa' }, 5000],
	['the chain was begun anew', CHAIN, { id: '1', first: '0xbb' }, 5000],
	['a chain without a first block is far behind', CHAIN, NAMELESS, 3999],
	['a chain that had no first block is far behind', NAMELESS, CHAIN, 3999],
])('it begins at the head and says so when %s', (_why, before, chain, head) => {
	const cursor = cursorWith({ ...AT_5000, chain: before });
	expect(cursor.resume(chain, blockRef(head))).toEqual(BEGUN_ELSEWHERE);
	expect(cursor.current.next).toBe(head + 1);
	expect(cursor.saved.chain).toEqual(chain);
});

test('it begins at the head when something else is watched', () => {
	const cursor = cursorWith(AT_5000, 'logs');
	expect(cursor.resume(CHAIN, blockRef(6000))).toEqual(BEGUN);
	expect(cursor.current.next).toBe(6001);
	expect(cursor.saved.watched).toBe('logs');
});

test('of what was missed, the latest 100,000 blocks are read, and the others are named once', () => {
	const cursor = cursorWith(AT_5000);
	const skipped = { from: 5001, to: 5001 };
	expect(cursor.resume(CHAIN, blockRef(105_001))).toEqual({ ...BEGUN, skipped });
	expect(cursor.current).toEqual({
		checkpoints: [],
		floor: 5002,
		next: 5002,
		highest: 5001,
		reorgs: 0,
	});
	expect(cursor.resume(CHAIN, blockRef(205_001))).toEqual(RESUMED);
});

test('a cut is bridged, however long it was', () => {
	const cursor = cursorWith(AT_5000);
	cursor.resume(CHAIN, blockRef(5000));
	expect(cursor.resume(CHAIN, blockRef(1_000_000))).toEqual(RESUMED);
	expect(cursor.current.next).toBe(5001);
});

test('after a restart of n8n, the first blocks are read one by one; after a cut they are not', () => {
	const cursor = cursorWith(AT_5000);
	cursor.resume(CHAIN, blockRef(6000));
	for (let count = 0; count < 16; count++) {
		expect(cursor.lastReadable).toBe(5001 + count);
		read(cursor);
	}
	expect(cursor.lastReadable).toBe(Infinity);
	cursor.resume(CHAIN, blockRef(7000));
	expect(cursor.lastReadable).toBe(Infinity);
});

const VIEW = { emitsRemovals: false, readBlockRef: async () => null, readEvents: async () => [] };

/** Moves the cursor to the next block, in which the given number of events happened. */
function read(cursor: ChainCursor, events = 1): void {
	const { current } = cursor;
	const block = blockRef(current.next);
	const found = Array.from({ length: events }, () => ({ block, json: { number: block.number } }));
	cursor.apply(extendCursor(current, block, found, VIEW.emitsRemovals), VIEW);
}

test('what was found since the last execution makes one, with the cursor behind it', () => {
	const cursor = cursorWith(AT_5000);
	cursor.resume(CHAIN, blockRef(5003));
	for (const events of [1, 0, 2]) read(cursor, events);
	const execution = cursor.takeExecution();
	expect(execution?.items.map(({ number }) => number)).toEqual([5001, 5003, 5003]);
	expect(execution?.cursor).toMatchObject({ chain: CHAIN, watched: 'blocks' });
	expect(execution?.cursor?.cursor.next).toBe(5004);
	expect(cursor.takeExecution()).toBeUndefined();
	read(cursor, 0);
	expect(cursor.takeExecution()).toBeUndefined();
});

test('the same blocks have the same key, others another one', () => {
	const keys = [[1], [1], [1, 1], [0, 1]].map((blocks) => {
		const cursor = cursorWith(AT_5000);
		cursor.resume(CHAIN, blockRef(5000));
		for (const events of blocks) read(cursor, events);
		return cursor.takeExecution()?.key;
	});
	expect(keys[1]).toBe(keys[0]);
	expect(new Set(keys).size).toBe(3);
});
