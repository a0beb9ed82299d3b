import fc from 'fast-check';
import {
	parseBloom,
	buildBloom,
	isBlankBloom,
	mayContainLogs,
} from '../../../../nodes/core/evm/follow/logProofs';
import { matchesFilter, type LogFilter } from '../../../../nodes/core/evm/logs';
import { createRandom } from '../../../harness/random.mts';
import { getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261121), numRuns: 300 });

const hexOf = (bytes: number) =>
	fc
		.uint8Array({ minLength: bytes, maxLength: bytes })
		.map((one) => `0x${Buffer.from(one).toString('hex')}`);
/** The logs draw from few addresses and topics, so that logs often share them. */
const address = fc.constantFrom(...fc.sample(hexOf(20), { numRuns: 6, seed: 1 }));
const topic = fc.constantFrom(...fc.sample(hexOf(32), { numRuns: 6, seed: 2 }));
const log = fc.record({ address, topics: fc.array(topic, { maxLength: 4 }) });
const filter: fc.Arbitrary<LogFilter> = fc.record({
	addresses: fc.array(address, { maxLength: 2 }),
	topics: fc.array(
		fc.oneof(fc.constant(null), topic, fc.array(fc.option(topic), { minLength: 1, maxLength: 3 })),
		{ maxLength: 4 },
	),
});

const LOGS_OF_A_BLOCK = fc.array(log, { maxLength: 20 });

test('what a bloom excludes is not in the block', () => {
	fc.assert(
		fc.property(LOGS_OF_A_BLOCK, filter, (logs, wanted) => {
			const found = logs.filter((one) => matchesFilter(one, wanted));
			expect(found.length > 0 && !mayContainLogs(buildBloom(logs), wanted)).toBe(false);
		}),
	);
});

test('a bloom is that of its logs, in whatever order and however often', () => {
	fc.assert(
		fc.property(LOGS_OF_A_BLOCK, (logs) => {
			expect(buildBloom([...logs, ...logs].reverse())).toEqual(buildBloom(logs));
			expect(isBlankBloom(buildBloom(logs))).toBe(logs.length === 0);
		}),
	);
});

test.each([
	['nothing', undefined],
	['a short one', '0x00'],
	['no hex', `0x${'g'.repeat(512)}`],
	['a number', 5],
])('%s is no bloom', (_what, logsBloom) => {
	expect(parseBloom({ logsBloom })).toBeUndefined();
});

describe('a filter', () => {
	const [one, two] = fc.sample(hexOf(20), { numRuns: 2, seed: 3 }) as [string, string];
	const [a, b] = fc.sample(hexOf(32), { numRuns: 2, seed: 4 }) as [string, string];
	const there = { address: one.toUpperCase().replace('0X', '0x'), topics: [a, b] };

	test.each<[string, LogFilter, boolean]>([
		['of nothing', { addresses: [], topics: [] }, true],
		['of its address, in another case', { addresses: [two, one], topics: [] }, true],
		['of another address', { addresses: [two], topics: [] }, false],
		['of its topics', { addresses: [], topics: [a, b] }, true],
		['of its topics in another order', { addresses: [], topics: [b, a] }, false],
		['of any topic and its second', { addresses: [], topics: [null, b] }, true],
		['of alternatives', { addresses: [], topics: [[b, a]] }, true],
		['of alternatives, one of which is any', { addresses: [], topics: [[b, null]] }, true],
		['of more topics than it has', { addresses: [], topics: [a, b, null] }, false],
	])('%s', (_what, wanted, expected) => {
		expect(matchesFilter(there, wanted)).toBe(expected);
	});
});

const random = createRandom(9);
/** Gives a random number between 0 and 1. */
const any = () => random.upTo(2 ** 32 - 1) / 2 ** 32;
const { bytes } = random;

/**
 * Builds the logs of a typical block of a main network: a few contracts write most of them, and there are events of
 * all kinds.
 */
function fullBlock(logs: number) {
	const contracts = Array.from({ length: Math.ceil(logs / 4) }, () => bytes(20));
	const kinds = Array.from({ length: 40 }, () => bytes(32));
	const some = <T,>(list: readonly T[]) => list[Math.floor(any() ** 2 * list.length)] as T;
	return Array.from({ length: logs }, () => ({
		address: some(contracts),
		topics: [some(kinds), ...Array.from({ length: Math.floor(any() * 3) }, () => bytes(32))],
	}));
}

test.each([200, 500])(
	'of blocks with %i logs, most leave no doubt about what they lack',
	(logs) => {
		const blooms = Array.from({ length: 4 }, () => buildBloom(fullBlock(logs)));
		const absent = [1, 2, 3].map((values) =>
			Array.from({ length: 50 }, () => ({
				addresses: [bytes(20)],
				topics: Array.from({ length: values - 1 }, () => bytes(32)),
			})),
		);
		const doubts = absent.map((filters) => {
			const hits = blooms.flatMap((bloom) => filters.filter((one) => mayContainLogs(bloom, one)));
			return hits.length / (blooms.length * filters.length);
		});
		const words = doubts.map((part) => `${(part * 100).toFixed(0)} %`).join(', ');
		process.stdout.write(
			`Doubt about a contract, an event of it, one with an indexed value: ${words} of blocks with ${logs} logs\n`,
		);
		const [contract = 1, event = 1, value = 1] = doubts;
		expect(contract).toBeLessThan(0.5);
		expect(event).toBeLessThanOrEqual(contract);
		expect(value).toBeLessThanOrEqual(event);
	},
);
