import type { Kept } from '../../nodes/core/chain/kept';
import { startAt } from '../../nodes/core/chain/position';
import { Progress } from '../../nodes/EvmTrigger/progress';

const place = (number: number) => ({ number, hash: `0x${number}` });
const CHAIN = '0x1';

const AT_TEN: Kept = { chain: CHAIN, position: startAt(place(10)) };

function progressWith(kept: Kept | undefined) {
	const begunAnew = jest.fn();
	const save = jest.fn();
	const progress = new Progress({ load: () => kept, save, begunAnew }, () => {});
	return { progress, save, begunAnew };
}

test('the first time it begins at the head, without a word', () => {
	const { progress, begunAnew } = progressWith(undefined);
	progress.begin(CHAIN, place(7));
	expect(progress.position.next).toBe(8);
	expect(begunAnew).not.toHaveBeenCalled();
});

test.each([
	['the chain has not grown', CHAIN, 10],
	['a node is a little behind', CHAIN, 5],
	['much was missed', CHAIN, 100_010],
])('it goes on where it stopped when %s', (_why, chain, head) => {
	const { progress, save, begunAnew } = progressWith(AT_TEN);
	progress.begin(chain, place(head));
	expect(progress.position.next).toBe(11);
	expect(save).not.toHaveBeenCalled();
	expect(begunAnew).not.toHaveBeenCalled();
});

test.each([
	['it is another chain', '0x2', 10],
	['too much was missed', CHAIN, 100_011],
])('it begins at the head and says so when %s', (_why, chain, head) => {
	const { progress, save, begunAnew } = progressWith(AT_TEN);
	progress.begin(chain, place(head));
	expect(progress.position.next).toBe(head + 1);
	expect(save).toHaveBeenCalledTimes(1);
	expect(begunAnew).toHaveBeenCalledWith(head);
});

test('a cut is bridged, however long it was', () => {
	const { progress, begunAnew } = progressWith(AT_TEN);
	progress.begin(CHAIN, place(10));
	progress.begin(CHAIN, place(1_000_000));
	expect(progress.position.next).toBe(11);
	expect(begunAnew).not.toHaveBeenCalled();
});
