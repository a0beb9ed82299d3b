import type { BlockRange } from '../../../nodes/core/chain/blocks';
import { createCursorAfter, type Cursor } from '../../../nodes/core/chain/cursor';
import type { Step } from '../../../nodes/core/chain/follow';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { MAX_ITEMS_PER_POLL, readSteps } from '../../../nodes/core/trigger/news';
import { stepsFrom } from '../support/steps.mts';

const blockRef = (number: number) => ({ number, hash: `0x${number}` });
const START = createCursorAfter(blockRef(0));

/** Creates a chain that has events in the given blocks, and records the searches. */
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

const MAX_BLOCKS = 150;

type Chain = Omit<ReturnType<typeof chainWith>, 'searched'>;

async function read(start: Cursor | undefined, chain: Chain, deadline = Infinity, last = 1_000) {
	if (!start) throw new Error('nothing was read before');
	const head = { number: last, time: NaN };
	const { reached, items, failure } = await readSteps(
		stepsFrom(start, chain, head),
		MAX_BLOCKS,
		deadline,
	);
	return { reached, numbers: items.map(({ number }) => number), failure };
}

test('it reads on to the last block where nothing happens', async () => {
	const chain = chainWith();
	const { reached, numbers } = await read(START, chain);
	expect(reached?.next).toBe(1_001);
	expect(numbers).toEqual([]);
	expect(Math.max(...chain.searched.map(([from, to]) => to - from + 1))).toBe(100);
});

test('from the first find on, it reads as many blocks as it may', async () => {
	const chain = chainWith(555, 560, 700);
	const { reached, numbers } = await read(START, chain);
	expect(numbers).toEqual([555, 560]);
	expect(reached?.next).toBeGreaterThan(560);
	expect(reached?.next).toBeLessThanOrEqual(555 + MAX_BLOCKS);
	expect(await read(reached, chain)).toMatchObject({ numbers: [700] });
});

test('when the time is up, it ends after a range', async () => {
	const { reached } = await read(START, chainWith(), 0);
	expect(reached?.next).toBe(101);
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
	const { reached, numbers } = await read(START, failing);
	expect(reached?.next).toBe(101);
	expect(numbers).toEqual([50]);
	expect(await read(reached, failing)).toMatchObject({
		reached: undefined,
		numbers: [],
		failure: { message: 'no more' },
	});
});

test('however much has happened, nothing is lost', async () => {
	const many = 300_000;
	const chain = {
		...chainWith(),
		readEvents: async () => Array(many).fill({ block: blockRef(1), json: { number: 1 } }),
	};
	const { reached, numbers, failure } = await read(START, chain, Infinity, 1);
	expect([failure, reached?.next, numbers.length]).toEqual([undefined, 2, many]);
});

/** Yields the steps unchanged, and counts how many of them the reader took. */
function stepsOf(...steps: ReadonlyArray<Partial<Step<number>>>) {
	const asked: number[] = [];
	const readOn = async function* (): AsyncGenerator<Step<number>> {
		for (const [position, step] of steps.entries()) {
			asked.push(position);
			yield await Promise.resolve({ position, items: [], blocks: 1, ...step });
		}
	};
	return { asked, readOn };
}

test('it ends when it has as many items as memory should hold', async () => {
	const items = Array.from({ length: MAX_ITEMS_PER_POLL }, () => ({}));
	const { asked, readOn } = stepsOf({ items }, {});
	const { reached, items: found } = await readSteps(readOn);
	expect([reached, found.length, asked]).toEqual([0, MAX_ITEMS_PER_POLL, [0]]);
});

test.each([Infinity, 0])(
	'a position that a failure has changed is kept with the failure, by deadline %d',
	async (deadline) => {
		const failure = new RequestFailure('no more');
		const { asked, readOn } = stepsOf({ items: [{}] }, { failure }, {});
		const reading = await readSteps(readOn, Infinity, deadline);
		const isOver = deadline === 0;
		expect(reading).toMatchObject({
			reached: isOver ? 0 : 1,
			items: [{}],
			failure: isOver ? undefined : failure,
		});
		expect(asked).toEqual(isOver ? [0] : [0, 1]);
	},
);

test('a failure in the first step is not hidden by a deadline that has passed', async () => {
	const failure = new RequestFailure('no more');
	expect(await readSteps(stepsOf({ failure }).readOn, Infinity, 0)).toMatchObject({ failure });
});

test('that the chain is another one is not forgotten by later steps', async () => {
	const { readOn } = stepsOf({ isOtherChain: true }, {});
	expect(await readSteps(readOn)).toMatchObject({ isOtherChain: true, reached: 1 });
});
