import { catchUp } from '../../../nodes/core/trigger/catchUp';
import type { BlockRange } from '../../../nodes/core/chain/blocks';
import { createCursorAfter } from '../../../nodes/core/chain/cursor';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';

const blockRef = (number: number) => ({ number, hash: `0x${number}` });
const START = createCursorAfter(blockRef(0));

/** A chain on which something happens in these blocks; searches are recorded. */
function chainWith(...busy: number[]) {
	const searched: Array<[number, number]> = [];
	return {
		searched,
		emitsRemovals: true,
		readBlockRef: async (number: number) => blockRef(number),
		readEvents: async ({ from, to }: BlockRange) => {
			searched.push([from, to]);
			return busy
				.filter((number) => number >= from && number <= to)
				.map((number) => ({ block: blockRef(number), json: { number } }));
		},
	};
}

const headAt = (number: number) => ({ number, time: NaN });
const limits = { head: headAt(1_000), last: 1_000, maxBlocks: 150, deadline: Infinity };

test('it reads on to the last block where nothing happens', async () => {
	const chain = chainWith();
	const { cursor, emissions } = await catchUp(START, chain, limits);
	expect(cursor.next).toBe(1_001);
	expect(emissions).toEqual([]);
	expect(Math.max(...chain.searched.map(([from, to]) => to - from + 1))).toBe(100);
});

test('from the first find on, it reads as many blocks as it may', async () => {
	const chain = chainWith(555, 560, 700);
	const { cursor, emissions } = await catchUp(START, chain, limits);
	expect(emissions.map(({ json }) => json.number)).toEqual([555, 560]);
	expect(cursor.next).toBeGreaterThan(560);
	expect(cursor.next).toBeLessThanOrEqual(555 + limits.maxBlocks);
	const rest = await catchUp(cursor, chain, limits);
	expect(rest.emissions.map(({ json }) => json.number)).toEqual([700]);
});

test('when the time is up, it ends after a range', async () => {
	const { cursor } = await catchUp(START, chainWith(), { ...limits, deadline: 0 });
	expect(cursor.next).toBe(101);
});

test('what was found before a failure is not lost', async () => {
	const chain = chainWith(50);
	const failing = {
		...chain,
		readEvents: async ({ from, to }: BlockRange) => {
			if (from > 100) throw new RequestFailure('no more');
			return await chain.readEvents({ from, to });
		},
	};
	const { cursor, emissions } = await catchUp(START, failing, limits);
	expect(cursor.next).toBe(101);
	expect(emissions.map(({ json }) => json.number)).toEqual([50]);
	expect(await catchUp(cursor, failing, limits)).toMatchObject({
		cursor,
		emissions: [],
		failure: { message: 'no more' },
	});
});

test('however much has happened, nothing is lost', async () => {
	const many = 300_000;
	const chain = {
		...chainWith(),
		readEvents: async () => Array(many).fill({ block: blockRef(1), json: { number: 1 } }),
	};
	const { cursor, emissions, failure } = await catchUp(START, chain, {
		...limits,
		head: headAt(1),
		last: 1,
	});
	expect([failure, cursor.next, emissions.length]).toEqual([undefined, 2, many]);
});
