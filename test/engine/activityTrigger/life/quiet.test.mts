import { fakeWorkflows, searched, traceOf, WATCHING } from '../support/fakeWorkflows.mts';

const { node, active, polling } = fakeWorkflows();

/** From the first of these blocks on, each has an event. */
function busyFrom(first: number): void {
	node.answers.trace_filter = (call) => {
		const { from, to } = searched(call);
		const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
		return numbers.filter((number) => number >= first).map((number) => traceOf(number));
	};
}

test('after a long quiet time and a restart, the first poll reads on to what is new', async () => {
	const before = await active(WATCHING);
	for (node.height = 1_000; node.height < 6_000; node.height += 500) {
		expect(await before.poll()).toEqual({ items: [], error: undefined });
	}
	busyFrom(node.height);
	const { items } = await polling(WATCHING, { saved: before.saved() }).activate();
	expect(items.map(({ blockNumber }) => blockNumber)).toEqual([node.height]);
});

test('Max Blocks Per Poll counts from the first find on', async () => {
	const workflow = await active({ ...WATCHING, options: { maxBlocksPerPoll: 20 } });
	node.height = 1_000;
	busyFrom(900);
	const counts: number[] = [];
	for (let polls = 0; polls < 7; polls++) counts.push((await workflow.poll()).items.length);
	expect(counts.reduce((sum, count) => sum + count)).toBe(101);
	expect(Math.max(...counts)).toBeLessThanOrEqual(20);
});

test('it reads on only as long as there is time', async () => {
	const before = await active(WATCHING);
	node.height += 350;
	busyFrom(node.height);
	const hasty = polling(WATCHING, { saved: before.saved(), budget: 0 });
	const counts: number[] = [];
	for (let polls = 0; polls < 5; polls++) counts.push((await hasty.poll()).items.length);
	expect(counts).toEqual([0, 0, 0, 1, 0]);
});
