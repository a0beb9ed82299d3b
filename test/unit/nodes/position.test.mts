import {
	extendCursor,
	createCursorAfter,
	type SavedState,
} from '../../../nodes/core/follow/cursor';
import type { Execution, ExecutionQueue } from '../../../nodes/EvmRpcTrigger/executionQueue';
import { MAX_MISSED_BLOCKS, ChainCursor } from '../../../nodes/EvmRpcTrigger/cursor';
import { NO_PENDING_EXECUTIONS } from '../../../nodes/EvmRpcTrigger/pendingExecutions';

const blockRef = (number: number) => ({ number, hash: `0x${number}` });
const CHAIN = { id: '1', first: '0xaa' };
const NAMELESS = { id: '1', first: null };

const AT_5000: SavedState = {
	chain: CHAIN,
	watched: 'blocks',
	cursor: createCursorAfter(blockRef(5000)),
};

function positionWith(saved: SavedState | undefined, watched = 'blocks') {
	const warnOfAnotherChain = jest.fn();
	const report = jest.fn();
	const save = jest.fn();
	const storage = {
		load: () => ({ state: saved, starts: NO_PENDING_EXECUTIONS }),
		save,
		warnOfAnotherChain,
	};
	const added: Execution[] = [];
	const add = (one: Execution) => {
		added.push(one);
		one.save?.(NO_PENDING_EXECUTIONS);
	};
	const executions = { add, waitForRoom: async () => {} } as unknown as ExecutionQueue;
	const position = new ChainCursor({ storage, executions, report }, watched, MAX_MISSED_BLOCKS);
	return { position, save, warnOfAnotherChain, report, added };
}

test('the first time it begins at the head, without a word', () => {
	const { position, warnOfAnotherChain } = positionWith(undefined);
	position.resume(CHAIN, blockRef(7));
	expect(position.cursor.next).toBe(8);
	expect(warnOfAnotherChain).not.toHaveBeenCalled();
});

test.each([
	['the chain has not grown', CHAIN, 5000],
	['a node is far behind', CHAIN, 0],
	['a node that has pruned the first block is a little behind', NAMELESS, 4000],
	['much was missed', CHAIN, 105_000],
])('it goes on where it stopped when %s', (_why, chain, head) => {
	const { position, save, warnOfAnotherChain } = positionWith(AT_5000);
	position.resume(chain, blockRef(head));
	expect(position.cursor.next).toBe(5001);
	expect(save).not.toHaveBeenCalled();
	expect(warnOfAnotherChain).not.toHaveBeenCalled();
});

test.each([
	['it is another chain', { id: '2', first: '0xaa' }, 5000],
	['the chain was begun anew', { id: '1', first: '0xbb' }, 5000],
	['a chain without a first block is far behind', NAMELESS, 3999],
])('it begins at the head and says so when %s', (_why, chain, head) => {
	const { position, save, warnOfAnotherChain } = positionWith(AT_5000);
	position.resume(chain, blockRef(head));
	expect(position.cursor.next).toBe(head + 1);
	expect(save).toHaveBeenCalledTimes(1);
	expect(warnOfAnotherChain).toHaveBeenCalledWith(head + 1);
});

test('it begins at the head, without a word, when something else is watched', () => {
	const { position, save, warnOfAnotherChain } = positionWith(AT_5000, 'logs');
	position.resume(CHAIN, blockRef(6000));
	expect(position.cursor.next).toBe(6001);
	expect(save).toHaveBeenCalledTimes(1);
	expect(warnOfAnotherChain).not.toHaveBeenCalled();
});

test('of what was missed, the latest 100,000 blocks are read, and the user hears of the others once', () => {
	const { position, warnOfAnotherChain, report } = positionWith(AT_5000);
	position.resume(CHAIN, blockRef(105_001));
	expect(position.cursor).toEqual({
		checkpoints: [],
		floor: 5002,
		next: 5002,
		highest: 5001,
		reorgs: 0,
	});
	position.resume(CHAIN, blockRef(205_001));
	expect(report.mock.calls).toEqual([
		[expect.objectContaining({ message: expect.stringContaining('Blocks 5001 to 5001 ') })],
	]);
	expect(warnOfAnotherChain).not.toHaveBeenCalled();
});

test('a cut is bridged, however long it was', () => {
	const { position, warnOfAnotherChain } = positionWith(AT_5000);
	position.resume(CHAIN, blockRef(5000));
	position.resume(CHAIN, blockRef(1_000_000));
	expect(position.cursor.next).toBe(5001);
	expect(warnOfAnotherChain).not.toHaveBeenCalled();
});

const VIEW = { emitsRemovals: false, readBlockRef: async () => null, readEvents: async () => [] };

/** Reads one more block, with this many events. */
function read(position: ChainCursor, events = 1): void {
	const block = blockRef(position.cursor.next);
	const found = Array.from({ length: events }, () => ({ block, json: { number: block.number } }));
	position.apply(extendCursor(position.cursor, block, found, VIEW.emitsRemovals), VIEW);
}

const { signal } = new AbortController();

const savedBy = (save: jest.Mock<unknown, [SavedState]>) =>
	save.mock.calls.map(([{ cursor }]) => cursor.next);

test('what was found since the last commit starts one execution', async () => {
	const { position, added } = positionWith(AT_5000);
	position.resume(CHAIN, blockRef(5003));
	for (const events of [1, 0, 2]) read(position, events);
	await position.commit(signal);
	await position.commit(signal);
	read(position, 0);
	await position.commit(signal);
	expect(added.map(({ items }) => items.map(({ number }) => number))).toEqual([[5001, 5003, 5003]]);
});

test('the same blocks have the same key, others another one', async () => {
	const keys = await Promise.all(
		[[1], [1], [1, 1], [0, 1]].map(async (blocks) => {
			const { position, added } = positionWith(AT_5000);
			position.resume(CHAIN, blockRef(5000));
			for (const events of blocks) read(position, events);
			await position.commit(signal);
			return added[0]?.key;
		}),
	);
	expect(keys[1]).toBe(keys[0]);
	expect(new Set(keys).size).toBe(3);
});

test('the latest position is saved with each execution, and with each retry', async () => {
	const { position, save, added } = positionWith(AT_5000);
	position.resume(CHAIN, blockRef(5000));
	for (let commits = 0; commits < 3; commits++) {
		read(position);
		await position.commit(signal);
	}
	expect(savedBy(save)).toEqual([5002, 5003, 5004]);
	added[0]?.save?.(NO_PENDING_EXECUTIONS);
	expect(savedBy(save).at(-1)).toBe(5004);
});

test('a retry of what belongs to another chain does not take back where the present one begins', async () => {
	const { position, save, added } = positionWith(AT_5000);
	position.resume(CHAIN, blockRef(5000));
	read(position);
	await position.commit(signal);
	position.resume({ id: '2', first: '0xaa' }, blockRef(7));
	added[0]?.save?.(NO_PENDING_EXECUTIONS);
	expect(savedBy(save)).toEqual([5002, 8, 8]);
});
