import { collectResults } from '../../../nodes/core/run';
import { createContext } from '../support/chains.mts';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { project } from '../../../nodes/Platform/project';
import { filter } from '../../../nodes/Trace/filter';

describe('the list of projects', () => {
	const SIZE = 30;

	/** Serves pages of projects. The answers contain the count unless `tellsCount` is false. */
	async function projects(total: number, limit?: number, page?: number, tellsCount = true) {
		const asked: string[] = [];
		const serve = async ({ path, query }: RestRequest) => {
			asked.push(path);
			const number = Number(/page=(\d+)/.exec(path)?.[1] ?? query?.page ?? 1);
			const begin = (number - 1) * SIZE;
			const ids = Array.from({ length: total }, (_, id) => ({ id })).slice(begin, begin + SIZE);
			const next =
				begin + SIZE < total ? `https://x/v1/projects/?order=a&page=${number + 1}` : null;
			return await Promise.resolve({ results: ids, next, ...(tellsCount && { count: total }) });
		};
		const options = page === undefined ? {} : { page };
		const found = await collectResults(
			project.operations.getAll,
			{ filters: {}, limit, options },
			createContext(serve),
		);
		return { asked, ids: found.map((one) => (one as { id: number }).id) };
	}

	const upTo = (end: number, begin = 0) =>
		Array.from({ length: end - begin }, (_, index) => begin + index);

	test.each([0, 1, 29, 30, 31, 237, 3000])(
		'of %p is read whole, each project once',
		async (total) => {
			expect((await projects(total)).ids).toEqual(upTo(total));
			expect((await projects(total, undefined, undefined, false)).ids).toEqual(upTo(total));
		},
	);

	test.each([
		[1, 1],
		[30, 1],
		[31, 2],
		[75, 3],
		[1000, 8],
	])('for a limit of %p is read in %p requests', async (limit, requests) => {
		const { asked, ids } = await projects(237, limit);
		expect(ids).toEqual(upTo(Math.min(limit, 237)));
		expect(asked).toHaveLength(requests);
	});

	test('from a later page leaves out the earlier ones, and asks for none beyond the end', async () => {
		const { asked, ids } = await projects(237, undefined, 6);
		expect(ids).toEqual(upTo(237, 150));
		expect(asked).toHaveLength(3);
	});
});

describe('the list of traces', () => {
	const fields = { fromAddress: [], toAddress: ['0xb'], simplify: false };

	/** Reads from a node that has `total` traces. Without `counts`, the node ignores how many traces are asked for. */
	async function traces(total: number, limit?: number, pageSize?: number, counts = true) {
		const asked: unknown[] = [];
		const serve = async ({ params }: RpcRequest) => {
			const [page] = params as readonly unknown[];
			asked.push(page);
			const { after = 0, count } = page as { after?: number; count: number };
			const all = Array.from({ length: total }, (_, index) => ({ index }));
			return await Promise.resolve(counts ? all.slice(after, after + count) : all);
		};
		const options = pageSize === undefined ? {} : { pageSize };
		const found = await collectResults(filter, { ...fields, limit, options }, createContext(serve));
		return { asked, found: found.length };
	}

	test('asks for no more than is wanted, and leaves out what was not given', async () => {
		const { asked, found } = await traces(100, 50);
		expect(JSON.parse(JSON.stringify(asked))).toEqual([{ toAddress: ['0xb'], count: 50 }]);
		expect(found).toBe(50);
	});

	test.each([
		[
			250,
			undefined,
			100,
			[
				[undefined, 100],
				[100, 100],
				[200, 100],
				[250, 100],
			],
		],
		[
			200,
			undefined,
			100,
			[
				[undefined, 100],
				[100, 100],
				[200, 100],
			],
		],
		[
			500,
			250,
			100,
			[
				[undefined, 100],
				[100, 100],
				[200, 50],
			],
		],
		[
			30,
			50,
			undefined,
			[
				[undefined, 50],
				[30, 20],
			],
		],
	])('of %p for a limit of %p in pages of %p is read so', async (total, limit, size, pages) => {
		const { asked, found } = await traces(total, limit, size);
		expect(asked.map((page) => page as { after?: number; count: number })).toMatchObject(
			pages.map(([after, count]) => ({ after, count })),
		);
		expect(found).toBe(Math.min(total, limit ?? Infinity));
	});

	test('is read once from a node that ignores the count', async () => {
		const { asked, found } = await traces(250, undefined, 100, false);
		expect([asked.length, found]).toEqual([2, 250]);
	});
});
