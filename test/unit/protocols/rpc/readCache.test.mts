import { ReadCache } from '../../../../nodes/core/protocols/rpc/connect';
import { estimateJsonChars } from '../../../../nodes/core/values/json';
import type { RpcRequest } from '../../../../nodes/core/protocols/rpc/request';
import { buildCall } from '../../support/fakes.mts';

/** Creates a cache in front of a node whose answers have the given lengths, and records the requests. */
function cacheOver(length: (index: number) => number) {
	const asked: number[] = [];
	const cache = new ReadCache(async ({ params }: RpcRequest) => {
		const [index] = params as number[];
		asked.push(Number(index));
		return await Promise.resolve({ data: 'x'.repeat(length(Number(index))) });
	});
	const read = async (...indices: readonly number[]) => {
		asked.splice(0);
		for (const index of indices) await cache.call(buildCall(index));
		return [...asked];
	};
	return { cache, asked, read };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('the answers of a run', () => {
	test('of which each is long are kept up to 32 million characters', async () => {
		const { read } = cacheOver(() => 1_000_000);
		await read(...upTo(100));
		expect(await read(...upTo(100).slice(69))).toEqual([]);
		expect(await read(68)).toEqual([68]);
	});

	test('that are used again stay, the least recently used go', async () => {
		const { read } = cacheOver(() => 1_000_000);
		await read(...upTo(31));
		expect(await read(0)).toEqual([]);
		await read(31, 32);
		expect(await read(0)).toEqual([]);
		expect(await read(1)).toEqual([1]);
	});

	test('that are very long are not kept, and push out no other', async () => {
		const { read } = cacheOver((index) => (index === 7 ? 5_000_000 : 1_000_000));
		await read(...upTo(12));
		expect(await read(...upTo(12))).toEqual([7]);
	});

	test('that are short are kept by their thousands, but not for ever', async () => {
		const { read } = cacheOver(() => 1);
		await read(...upTo(5000));
		expect(await read(...upTo(5000))).toEqual([]);
		await read(...upTo(70_000));
		expect(await read(0)).toEqual([0]);
	});
});

describe('identical reads', () => {
	test.each([
		['short', 10],
		['too long to be kept', 5_000_000],
	])('under way travel once, with an answer for each that is %s', async (_, length) => {
		const { cache, asked } = cacheOver(() => length);
		const answers = await Promise.all(upTo(5).map(async () => await cache.call(buildCall(1))));
		expect(asked).toEqual([1]);
		expect(new Set(answers).size).toBe(5);
	});

	test('of one that waited for another travel no more', async () => {
		const { cache, asked } = cacheOver(() => 10);
		const twice = async () => [await cache.call(buildCall(1)), await cache.call(buildCall(1))];
		await Promise.all(upTo(5).map(twice));
		expect(asked).toEqual([1]);
	});

	test('that are to be fresh travel again when the first is over', async () => {
		const { cache, asked } = cacheOver(() => 10);
		const fresh = { ...buildCall(1), isFresh: true };
		await Promise.all([cache.call(fresh), cache.call(fresh)]);
		await cache.call(fresh);
		await cache.call(buildCall(1));
		await cache.call(buildCall(1));
		expect(asked).toEqual([1, 1, 1]);
	});

	test('of which the first fails fail together, and the next is sent', async () => {
		let times = 0;
		const cache = new ReadCache(async () => {
			times++;
			throw new Error('No.');
		});
		const both = [cache.call(buildCall(1)), cache.call(buildCall(1))];
		for (const one of both) await expect(one).rejects.toThrow('No.');
		await expect(cache.call(buildCall(1))).rejects.toThrow('No.');
		expect(times).toBe(2);
	});
});

describe('the length of an answer', () => {
	test.each([
		null,
		true,
		12.5,
		'0x1',
		[],
		{},
		[1, '2', [3]],
		{ number: '0x10', transactions: [{ hash: '0xaa', input: null }, 'x'] },
	])('is that of its JSON, almost: %j', (value) => {
		const length = JSON.stringify(value).length;
		expect(Math.abs(estimateJsonChars(value, 1000) - length)).toBeLessThanOrEqual(2 + length / 20);
	});

	test('is not counted to the end when it is too long', () => {
		let seen = 0;
		const part = () => ({
			get data() {
				seen++;
				return 'x'.repeat(100);
			},
		});
		expect(estimateJsonChars(Array.from({ length: 1000 }, part), 1000)).toBeGreaterThan(1000);
		expect(seen).toBeLessThan(20);
	});
});
