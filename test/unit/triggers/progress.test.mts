import { startAt, type SavedState } from '../../../nodes/core/follow/position';
import type { ExecutionQueue } from '../../../nodes/EvmRpcTrigger/outbox';
import { Progress } from '../../../nodes/EvmRpcTrigger/progress';

const blockRef = (number: number) => ({ number, hash: `0x${number}` });
const CHAIN = { id: '1', first: '0xaa' };
const NAMELESS = { id: '1', first: null };

const AT_5000: SavedState = { chain: CHAIN, watched: 'blocks', cursor: startAt(blockRef(5000)) };

function progressWith(saved: SavedState | undefined, watched = 'blocks') {
	const begunAnew = jest.fn();
	const save = jest.fn();
	const storage = { load: () => saved, save, begunAnew };
	const progress = new Progress(storage, watched, {} as ExecutionQueue);
	return { progress, save, begunAnew };
}

test('the first time it begins at the head, without a word', () => {
	const { progress, begunAnew } = progressWith(undefined);
	progress.begin(CHAIN, blockRef(7));
	expect(progress.cursor.next).toBe(8);
	expect(begunAnew).not.toHaveBeenCalled();
});

test.each([
	['the chain has not grown', CHAIN, 5000],
	['a node is far behind', CHAIN, 0],
	['a node that has pruned the first block is a little behind', NAMELESS, 4000],
	['much was missed', CHAIN, 105_000],
])('it goes on where it stopped when %s', (_why, chain, head) => {
	const { progress, save, begunAnew } = progressWith(AT_5000);
	progress.begin(chain, blockRef(head));
	expect(progress.cursor.next).toBe(5001);
	expect(save).not.toHaveBeenCalled();
	expect(begunAnew).not.toHaveBeenCalled();
});

test.each([
	['it is another chain', { id: '2', first: '0xaa' }, 5000],
	['the chain was begun anew', { id: '1', first: '0xbb' }, 5000],
	['a chain without a first block is far behind', NAMELESS, 3999],
])('it begins at the head and says so when %s', (_why, chain, head) => {
	const { progress, save, begunAnew } = progressWith(AT_5000);
	progress.begin(chain, blockRef(head));
	expect(progress.cursor.next).toBe(head + 1);
	expect(save).toHaveBeenCalledTimes(1);
	expect(begunAnew).toHaveBeenCalledWith(head + 1);
});

test('it begins at the head, without a word, when something else is watched', () => {
	const { progress, save, begunAnew } = progressWith(AT_5000, 'logs');
	progress.begin(CHAIN, blockRef(6000));
	expect(progress.cursor.next).toBe(6001);
	expect(save).toHaveBeenCalledTimes(1);
	expect(begunAnew).not.toHaveBeenCalled();
});

test('of what was missed, the latest 100,000 blocks are read, and it says so', () => {
	const { progress, begunAnew } = progressWith(AT_5000);
	progress.begin(CHAIN, blockRef(105_001));
	expect(progress.cursor).toEqual({
		checkpoints: [],
		floor: 5002,
		next: 5002,
		highest: 5001,
		reorgs: 0,
	});
	expect(begunAnew).toHaveBeenCalledWith(5002);
});

test('a cut is bridged, however long it was', () => {
	const { progress, begunAnew } = progressWith(AT_5000);
	progress.begin(CHAIN, blockRef(5000));
	progress.begin(CHAIN, blockRef(1_000_000));
	expect(progress.cursor.next).toBe(5001);
	expect(begunAnew).not.toHaveBeenCalled();
});
