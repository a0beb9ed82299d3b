import { beginCell, type Cell } from '@ton/core';
import { hash } from 'starknet';
import { hashCells } from '../../nodes/core/ton/cell';
import { bagParser, parseBag } from '../../nodes/core/ton/bag/parse';
import { hashTypedDataInSlices } from '../../nodes/core/evm/abi/typedData';
import { runAtOnce, runInSlices, type Sliced } from '../../nodes/core/net/pacing/slices';
import { hashTypedData, type TypedDataDefinition } from 'viem';
import { orderOf } from '../../test/harness/largeTypedData.mts';
import { hashPoseidon } from '../library/stark.mts';

function countSlices<Result>(work: Sliced<Result>) {
	let slices = 1;
	for (;;) {
		const step = work.next();
		if (step.done) return { result: step.value, slices };
		slices++;
	}
}

test.each([0, 1, 2, 3, 99, 100, 101, 199, 200, 1001])(
	'Poseidon of %d felts is that of the reference client, at most 100 in a slice',
	(count) => {
		const felts = Array.from({ length: count }, (_, at) => 2n ** 250n + BigInt(at));
		const { result, slices } = countSlices(hashPoseidon(felts));
		expect(result).toBe(BigInt(hash.computePoseidonHashOnElements(felts)));
		expect(slices).toBe(1 + Math.floor(count / 100));
	},
);

/** Builds a chain of different cells, each with up to 3 leaves. `count` is the number of all cells. */
function buildCells(count: number): Cell {
	let whole = beginCell().endCell();
	for (let at = 1; at < count; at += 4) {
		const builder = beginCell().storeUint(at, 32).storeRef(whole);
		for (let leaf = 1; leaf < Math.min(4, count - at); leaf++)
			builder.storeRef(
				beginCell()
					.storeUint(at + leaf, 40)
					.endCell(),
			);
		whole = builder.endCell();
	}
	return whole;
}

test('cells are hashed in slices of 2,000, to the hash of the reference', () => {
	const whole = buildCells(4001);
	const cell = parseBag(whole.toBoc().toString('base64'));
	expect(countSlices(hashCells([cell])).slices).toBe(3);
	expect(cell.hash.toString('hex')).toBe(whole.hash().toString('hex'));
	expect(countSlices(hashCells([cell, cell])).slices).toBe(1);
});

test('all bags that one parser gets may have 16,384 cells, which are counted before they are read', () => {
	const [small, half] = [4, 4000].map((count) => buildCells(count).toBoc().toString('base64'));
	const parse = bagParser();
	for (let time = 0; time < 4; time++) parse(half);
	for (let time = 0; time < 96; time++) parse(small);
	expect(() => parse(small)).toThrow('where all such bags together have at most 16384 cells');
	const parseTexts = bagParser();
	expect(() => {
		for (;;) parseTexts(half);
	}).toThrow('16384 cells');
	const broken = `${'A'.repeat(999_996)}BBBB`;
	const parseBroken = bagParser();
	expect(() => parseBroken(broken)).toThrow('does not begin like one');
	expect(() => parseBroken(broken)).toThrow('at most 1500000 characters');
});

test('typed data is hashed in slices, to the hash of another library', () => {
	const order = orderOf(1000);
	const { result, slices } = countSlices(hashTypedDataInSlices(order, 'Order'));
	expect(`0x${result.toString('hex')}`).toBe(hashTypedData(order as TypedDataDefinition));
	expect(slices).toBeGreaterThan(5);
});

test('between the slices, all else gets its turn', async () => {
	function* work(): Sliced<string> {
		for (let slice = 0; slice < 3; slice++) {
			order.push('slice');
			yield;
		}
		return 'done';
	}
	const order: string[] = [];
	const other = () => {
		order.push('other');
		if (order.length < 8) setTimeout(other, 0);
	};
	setTimeout(other, 0);
	expect(await runInSlices(work())).toBe('done');
	expect(order).toContain('other');
	expect(order.indexOf('other')).toBeLessThan(order.lastIndexOf('slice'));
	order.length = 0;
	expect(runAtOnce(work())).toBe('done');
	expect(order).toEqual(['slice', 'slice', 'slice']);
});
