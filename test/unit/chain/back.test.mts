import fc from 'fast-check';
import { blockOrBackParser, findFirstBlock } from '../../../nodes/core/chain/back';
import { findFirstAfter } from '../../../nodes/core/chain/blockAtTime';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { blockParser } from '../../../nodes/core/values/numbers';

describe('where a range begins', () => {
	const parse = blockOrBackParser(blockParser('latest', 'earliest'));

	test.each([
		['latest', 'latest'],
		['17', '0x11'],
		[17, '0x11'],
		['1000 blocks back', { unit: 'block', count: 1000 }],
		[' 1 Block ', { unit: 'block', count: 1 }],
		['90 seconds ago', { unit: 'second', count: 90 }],
		['2 hours back', { unit: 'second', count: 7200 }],
		['7days', { unit: 'second', count: 604_800 }],
	])('is read of %p', (given, expected) => {
		expect(parse(given)).toEqual(expected);
	});

	test.each([
		['0 blocks back', /^a distance of at least 1, such as 1 block back$/],
		['-5', /^latest, earliest, or a block number.*, or a distance back, such as 2 days back$/],
		['two days', /or a distance back/],
		['2 days later', /or a distance back/],
		['1.5 days', /or a distance back/],
		['', /or a distance back/],
	])('is not read of %p', (given, message) => {
		expect(() => parse(given)).toThrow(message);
	});
});

const anyTimes = fc
	.array(fc.nat(5), { minLength: 1, maxLength: 300 })
	.map((steps) => steps.map((_, index) => steps.slice(0, index + 1).reduce((a, b) => a + b)));

test('the first block after a moment is found, whatever the times of blocks are', async () => {
	await fc.assert(
		fc.asyncProperty(anyTimes, fc.integer({ min: 1, max: 2000 }), async (times, count) => {
			const last = times.length - 1;
			const moment = times[last]! - count;
			const readTime = async (block: number) => await Promise.resolve(times[block]);
			const found = await findFirstBlock({ unit: 'second', count }, last, readTime);
			expect(found).toBe(times.findIndex((time) => time > moment));
		}),
	);
});

test('blocks that the chain node has no longer are not taken for the first ones', async () => {
	await fc.assert(
		fc.asyncProperty(anyTimes, fc.nat(300), fc.nat(2000), async (times, lost, count) => {
			const last = times.length - 1;
			const kept = Math.min(lost, last);
			const moment = times[last]! - (count + 1);
			const readTime = async (block: number) =>
				await Promise.resolve(block < kept ? undefined : times[block]);
			const found = findFirstBlock({ unit: 'second', count: count + 1 }, last, readTime);
			const first = times.findIndex((time) => time > moment);
			if (kept === 0 || first > kept) expect(await found).toBe(first);
			else await expect(found).rejects.toThrow(`its first block is ${kept}`);
		}),
	);
});

describe('a node that has the first block and the latest ones', () => {
	/** The times of a chain with a block each second, which later has a block every 12 seconds. */
	const timeOf = (block: number) => (block < 900_000 ? block : 900_000 + (block - 900_000) * 12);
	const KEPT = 900_000;
	const LAST = 1_000_000;

	async function find(seconds: number, missing: () => number | undefined) {
		let reads = 0;
		const readTime = async (block: number) => {
			reads++;
			return await Promise.resolve(block === 0 || block >= KEPT ? timeOf(block) : missing());
		};
		const found = await findFirstBlock({ unit: 'second', count: seconds }, LAST, readTime).catch(
			(failure: unknown) => (failure instanceof Error ? failure.message : failure),
		);
		expect(reads).toBeLessThan(120);
		return found;
	}

	const refuse = () => {
		throw new RequestFailure('archive only');
	};

	test('finds what it has, whatever it says of the others', async () => {
		for (const missing of [() => undefined, refuse])
			for (const blocks of [1, 1000, 50_000, 99_999])
				expect(await find(blocks * 12, missing)).toBe(LAST - blocks + 1);
	});

	test('says what it lacks', async () => {
		const before = (LAST - KEPT) * 12 + 100;
		expect(await find(before, () => undefined)).toMatch(`its first block is ${KEPT}`);
		expect(await find(before, refuse)).toBe('archive only');
	});
});

test('one missing block in the middle is looked around', async () => {
	await fc.assert(
		fc.asyncProperty(anyTimes, fc.nat(300), fc.integer({ min: 1 }), async (times, hole, count) => {
			const last = times.length - 1;
			const first = times.findIndex((time) => time > times[last]! - count);
			fc.pre(hole < last && hole !== first && hole !== first - 1);
			const readTime = async (block: number) =>
				await Promise.resolve(block === hole ? undefined : times[block]);
			expect(await findFirstBlock({ unit: 'second', count }, last, readTime)).toBe(first);
		}),
	);
});

test('times in no order end the search with some block, and few reads', async () => {
	const anyDisorder = fc.array(fc.option(fc.nat(1000), { nil: undefined }), { minLength: 1 });
	await fc.assert(
		fc.asyncProperty(anyDisorder, fc.nat(1000), async (times, moment) => {
			let reads = 0;
			const readTime = async (block: number) => await Promise.resolve((reads++, times[block]));
			const later = { number: times.length, time: 1001 };
			const found = await findFirstAfter(moment, later, readTime).catch(
				(failure: unknown) => failure,
			);
			if (typeof found !== 'number') expect(found).toBeInstanceOf(RequestFailure);
			expect(reads).toBeLessThan(20 * (times.length + 1));
		}),
	);
});

test('a node without the last block is named as such', async () => {
	const found = findFirstBlock({ unit: 'second', count: 1 }, 5, async () => undefined);
	await expect(found).rejects.toThrow('The chain node has no block 5');
});

test('a day of a long chain takes few reads', async () => {
	let reads = 0;
	const readTime = async (block: number) => await Promise.resolve((reads++, block * 3));
	const last = 70_000_000;
	const back = { unit: 'second', count: 86_400 } as const;
	expect(await findFirstBlock(back, last, readTime)).toBe(last - 28_800 + 1);
	expect(reads).toBeLessThan(30);
});
