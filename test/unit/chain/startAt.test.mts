import fc from 'fast-check';
import {
	findStartBlock,
	parseStart,
	parseStartTime,
	toStartPoint,
} from '../../../nodes/core/chain/startAt';
import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import { InvalidValue, type Parse } from '../../../nodes/core/values/parse';

/** These tests check the value of the option Start At, which says where a trigger begins. */

const NOW = Math.floor(Date.parse('2026-11-28T12:00:00Z') / 1000);
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000 + 999));
afterEach(() => void jest.restoreAllMocks());

const read = (given: unknown, parse: typeof parseStart = parseStart) => {
	const start = parse(given);
	return start && toStartPoint(start, 'Europe/Berlin');
};

test.each<[unknown, unknown]>([
	['', undefined],
	[undefined, undefined],
	[null, undefined],
	[0, { block: 0 }],
	['21000000', { block: 21_000_000 }],
	[' 0x1F ', { block: 31 }],
	// A number is always a block number, even if it could be a time in Unix seconds.
	['1764331200', { block: 1_764_331_200 }],
	['500 blocks back', { blocksBack: 500 }],
	['1 block back', { blocksBack: 1 }],
	['2 days back', { moment: NOW - 172_800 }],
	['1 day back', { moment: NOW - 86_400 }],
	['1 Week Back', { moment: NOW - 604_800 }],
	['2026-11-28T11:00:00Z', { moment: NOW - 3_600 }],
	['2026-11-28T12:00:00', { moment: NOW - 3_600 }],
	['2026-11-28', { moment: NOW - 13 * 3_600 }],
])('%p begins at %p', (given, expected) => {
	expect(read(given)).toEqual(expected);
});

const refuse = (given: unknown, parse: Parse) => {
	try {
		return parse(given);
	} catch (error) {
		return error instanceof InvalidValue ? error.message : error;
	}
};

test.each([
	-1,
	1.5,
	'1.5',
	'1764331200.5',
	'yesterday',
	'0 blocks back',
	'2026-02-30',
	1e300,
	{},
	[],
	true,
	'99999999999999999999',
])('%p is no place to begin', (given) => {
	expect(refuse(given, parseStart)).toEqual(expect.any(String));
});

test.each(['21000000', 21_000_000, '500 blocks back', '0x1f', 'now'])(
	'%p is none on a chain that is read by time',
	(given) => {
		expect(refuse(given, parseStartTime)).toMatch(/^how far back, such as 2 days back, or a time/);
		expect(read('2 days back', parseStartTime)).toEqual({ moment: NOW - 172_800 });
	},
);

/** Random chains, given by the times of their blocks, which are all in the past. */
const chains = fc
	.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 60 })
	.map((gaps) => {
		let time = NOW - 2_500;
		return gaps.map((gap) => (time += gap));
	});

test('the first block at or after a moment is found, or the one after the last', async () => {
	const property = fc.asyncProperty(
		chains,
		fc.integer({ min: -50, max: 2_500 }),
		async (times, at) => {
			const moment = NOW - 2_500 + at;
			const found = await findStartBlock(
				{ moment },
				times.length - 1,
				async (number) => await Promise.resolve(times[number]),
			);
			const expected = times.findIndex((time) => time >= moment);
			expect(found).toBe(expected < 0 ? times.length : expected);
		},
	);
	await fc.assert(property, { seed: 20261128, numRuns: 500 });
});

const readTime = async (number: number) => await Promise.resolve(NOW - 100 + number);

test.each([
	[{ block: 7 }, 7],
	[{ block: 10 }, 10],
	[{ blocksBack: 3 }, 7],
	[{ blocksBack: 10 }, 0],
	[{ blocksBack: 500 }, 0],
	[{ moment: NOW }, 11],
	[{ moment: -1_000_000 }, 0],
])('of ten blocks, %p begins with block %i', async (start, expected) => {
	expect(await findStartBlock(start, 10, readTime)).toBe(expected);
});

test.each([
	[{ block: 11 }, /lies in the future: the latest block is 10$/],
	[{ moment: NOW + 1 }, /lies in the future: the latest block is 10, of 2026-11-28T11:58:30.000Z$/],
])('%p is refused', async (start, message) => {
	const found = findStartBlock(start, 10, readTime);
	await expect(found).rejects.toThrow(InvalidInput);
	await expect(found).rejects.toThrow(message);
});

test('a chain whose clock is ahead has no future before its latest block', async () => {
	const ahead = async (number: number) => await Promise.resolve(NOW + 1_000 + number);
	expect(await findStartBlock({ moment: NOW + 1_005 }, 10, ahead)).toBe(5);
});
