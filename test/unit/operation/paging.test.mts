import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import type { AnyRequestOperation } from '../../../nodes/core/operation/operation';
import { collectResults } from '../../../nodes/core/run';
import { createContext } from '../support/chains.mts';

const collect = async (
	operation: AnyRequestOperation<number>,
	parameters: { readonly limit?: number },
	call: (page: number) => Promise<unknown>,
) => await collectResults(operation, parameters, createContext(call));

interface Page {
	readonly things: readonly number[];
	readonly next?: readonly number[];
}

/** An operation that reads pages by their number. Each answer names the next pages. */
const listing: AnyRequestOperation<number> = {
	name: 'Get Many',
	action: 'Get many things',
	description: 'Get things',
	fields: [],
	request: () => 1,
	answer: (body) => body,
	items: ({ things }: Page) => things,
	next: ({ next }: Page) => next ?? [],
};

async function list(pages: Readonly<Record<number, Page>>, limit?: number, operation = listing) {
	const asked: number[] = [];
	const things = await collect(operation, { limit }, async (page) => {
		asked.push(page);
		return await Promise.resolve(pages[page]);
	});
	return { asked, things };
}

describe('an operation without further pages', () => {
	const { items: _items, next: _next, ...single } = listing;

	test('yields its answer as the one thing', async () => {
		expect(await list({ 1: { things: [7] } }, undefined, single)).toEqual({
			asked: [1],
			things: [{ things: [7] }],
		});
	});

	test('yields null as a thing too', async () => {
		expect(await collect(single, {}, async () => null)).toEqual([null]);
	});

	test('yields no more than the limit', async () => {
		const alone = { ...single, items: listing.items };
		expect((await list({ 1: { things: [1, 2, 3] } }, 2, alone)).things).toEqual([1, 2]);
	});
});

describe('a plan', () => {
	const plan = jest.fn((p: { readonly limit?: number }) => ({ page: 7, most: p.limit }));
	const planned: AnyRequestOperation<number> = {
		...listing,
		plan,
		request: ({ page }: ReturnType<typeof plan>) => page,
		items: ({ things }: Page, { most }: ReturnType<typeof plan>) => [...things, { most }],
	};

	beforeEach(() => plan.mockClear());

	test('is made once of the parameters, and what the request and the items of all pages are made of', async () => {
		const pages = { 7: { things: [1], next: [8] }, 8: { things: [2] } };
		expect(await list(pages, 9, planned)).toEqual({
			asked: [7, 8],
			things: [1, { most: 9 }, 2, { most: 9 }],
		});
		expect(plan.mock.calls).toEqual([[{ limit: 9 }]]);
	});

	test('that cannot be made fails the item before anything is asked', async () => {
		plan.mockImplementationOnce(() => {
			throw new InvalidInput('No such account');
		});
		const call = jest.fn();
		await expect(collect(planned, {}, call)).rejects.toThrow('No such account');
		expect(call).not.toHaveBeenCalled();
	});
});

describe('a list', () => {
	const chain = {
		1: { things: [1, 2], next: [2] },
		2: { things: [3, 4], next: [3] },
		3: { things: [5] },
	};

	test('is read page by page to its end', async () => {
		expect(await list(chain)).toEqual({ asked: [1, 2, 3], things: [1, 2, 3, 4, 5] });
	});

	test.each([
		[1, [1]],
		[2, [1]],
		[3, [1, 2]],
		[4, [1, 2]],
		[5, [1, 2, 3]],
	])('for %p things reads pages %p alone', async (limit, pages) => {
		const { asked, things } = await list(chain, limit);
		expect(asked).toEqual(pages);
		expect(things).toEqual([1, 2, 3, 4, 5].slice(0, limit));
	});

	test('shows the next page what was asked and how much is missing', async () => {
		const next = jest.fn(() => []);
		await list(chain, 5, { ...listing, next });
		expect(next).toHaveBeenCalledWith(chain[1], { request: 1, missing: 3 });
		await list(chain, undefined, { ...listing, next });
		expect(next).toHaveBeenLastCalledWith(chain[1], { request: 1, missing: Infinity });
	});

	test('reads pages that are known side by side, and puts them in order', async () => {
		const pages = {
			1: { things: [1], next: [2, 3, 4] },
			2: { things: [2] },
			3: { things: [3], next: [9] },
			4: { things: [4], next: [5] },
			5: { things: [5] },
		};
		let underWay = 0;
		let most = 0;
		const things = await collect(listing, {}, async (page) => {
			most = Math.max(most, ++underWay);
			await new Promise((resolve) => setTimeout(resolve, 5 - page));
			underWay--;
			return pages[page as keyof typeof pages];
		});
		expect(things).toEqual([1, 2, 3, 4, 5]);
		expect(most).toBe(3);
	});

	test('that names a page which was read before ends with a clear failure', async () => {
		const circle = { 1: { things: [1], next: [2] }, 2: { things: [2], next: [1] } };
		await expect(list(circle)).rejects.toThrow(
			'The service returned the same page of a list twice',
		);
	});

	test('that gives the same page under every number ends with a clear failure', async () => {
		const same = { things: [1], next: [2] };
		const endless = collect(
			{ ...listing, next: (_, { request }) => [request + 1] },
			{},
			async () => same,
		);
		await expect(endless).rejects.toThrow('The service returned the same page of a list twice');
	});

	test('is read to its limit from a server whose list never ends', async () => {
		const counting: AnyRequestOperation<number> = {
			...listing,
			next: (_, { request }) => [request + 1],
		};
		const things = await collect(counting, { limit: 10 }, async (page) => ({ things: [page] }));
		expect(things).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
	});

	test('fails when one of its pages does', async () => {
		const broken = collect(listing, {}, () => Promise.reject(new Error('No.')));
		await expect(broken).rejects.toThrow('No.');
	});
});
