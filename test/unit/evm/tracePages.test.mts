import fc from 'fast-check';
import { readTraces, type TracePage } from '../../../nodes/core/evm/traces';
import { createChain, collectAll } from '../support/chains.mts';

/** Reads all traces of a node that answers a page like this. */
async function allTraces(search: (page: TracePage) => unknown, filter: object) {
	const chain = createChain((_method, [page]) => search(page as unknown as TracePage));
	return await collectAll(readTraces(chain, filter));
}

const traces = (count: number) => Array.from({ length: count }, (_, index) => ({ index }));

test('all traces are read once, however few a node gives at a time', async () => {
	const scene = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 70 }), fc.array(fc.nat(3)));
	await fc.assert(
		fc.asyncProperty(scene, async ([count, cap, shorter]) => {
			const all = traces(count);
			let pages = 0;
			const search = async ({ after = 0 }: TracePage) => {
				const size = Math.max(1, cap - (shorter[pages++] ?? 0));
				return all.slice(after, after + size);
			};
			expect(await allTraces(search, {})).toEqual(all);
		}),
		{ seed: 12 },
	);
});

test('the filter is asked for on every page, and a first page that is empty is the last', async () => {
	const search = jest.fn(async ({ after = 0 }: TracePage) => traces(3).slice(after));
	await allTraces(search, { fromBlock: '0x1' });
	expect(search.mock.calls).toEqual([
		[{ fromBlock: '0x1', count: 1000 }],
		[{ fromBlock: '0x1', count: 1000, after: 3 }],
	]);
	const nothing = jest.fn(async () => []);
	expect(await allTraces(nothing, {})).toEqual([]);
	expect(nothing).toHaveBeenCalledTimes(1);
});

test('a node that knows no pages gives its whole list, one that repeats a full page fails', async () => {
	expect(await allTraces(async () => traces(5), {})).toEqual(traces(5));
	await expect(allTraces(async ({ count }) => traces(count), {})).rejects.toThrow(
		/the same page twice/,
	);
});

test('an error among the traces is no trace: the list is incomplete', async () => {
	const error = { code: -32000, message: 'execution aborted (timeout = 5s)' };
	await expect(allTraces(async () => [...traces(1), { error }], {})).rejects.toMatchObject({
		message: error.message,
		description: expect.stringMatching(/broke off .* after 1 /),
	});
});

test('a trace that failed is one all the same', async () => {
	const failed = [{ action: {}, error: 'Reverted' }];
	expect(await allTraces(async () => failed, {})).toEqual(failed);
});
