import type { INodeParameters } from 'n8n-workflow';
import { ADDRESS, fakeWorkflows, searched, traceOf, WATCHING } from '../support/fakeWorkflows.mts';

const { node, active, polling } = fakeWorkflows();

const OTHER = `0x${'2'.repeat(40)}`;
const of = (...addresses: string[]): INodeParameters => ({
	...WATCHING,
	addresses: addresses.join(),
});

beforeEach(() => {
	node.answers.trace_filter = (call) => {
		const { from, to } = searched(call);
		return Array.from({ length: to - from + 1 }, (_, index) => traceOf(from + index));
	};
});

/** Returns what n8n keeps of a life without events, followed by many blocks. */
async function leftBehind(parameters: INodeParameters): Promise<string> {
	const workflow = await active(parameters);
	node.height += 150;
	return workflow.saved();
}

describe('a workflow whose trigger was edited', () => {
	test.each<[string, INodeParameters, INodeParameters]>([
		['another direction', WATCHING, { ...WATCHING, direction: 'from' }],
		['another event', WATCHING, { event: 'newBlock' }],
		['another event, the other way round', { event: 'newBlock' }, WATCHING],
		['another address', of(OTHER), of(ADDRESS)],
		['one more address', of(ADDRESS), of(ADDRESS, OTHER)],
	])('to %s begins at the head', async (_what, before, after) => {
		const workflow = polling(after, { saved: await leftBehind(before) });
		expect(await workflow.activate()).toEqual({ items: [], error: undefined });
		node.height++;
		const { items } = await workflow.poll();
		expect(items.map(({ number, blockNumber }) => number ?? blockNumber)).toEqual([node.height]);
	});

	test.each<[string, INodeParameters]>([
		['the same addresses in another order', of(OTHER, ADDRESS)],
		['other items of the same activity', { ...of(ADDRESS, OTHER), simplify: false }],
	])('to %s goes on', async (_what, after) => {
		const workflow = polling(after, { saved: await leftBehind(of(ADDRESS, OTHER)) });
		expect((await workflow.activate()).items).toHaveLength(150);
	});
});
