import fc from 'fast-check';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readBlockAtTime } from '../../../nodes/core/evm/blockTimes';
import { EvmChain } from '../../harness/evmChain.mts';
import { createChain } from '../support/chains.mts';
import { getSeed } from '../../harness/caseCount.mts';

/**
 * Models a chain whose blocks have the given times. Its node lacks some blocks: it answers null for them, or
 * refuses.
 */
function chainOf(times: readonly number[], missing: (number: number) => unknown = () => undefined) {
	const model = new EvmChain((number) => ({ time: times[number] }));
	model.height = times.length - 1;
	let calls = 0;
	let rounds = 0;
	const at = async (moment: number) => {
		calls = 0;
		rounds = 0;
		const chain = createChain(async (method, params) => {
			rounds += (await turn()) ? 1 : 0;
			calls++;
			const gone = missing(Number(params[0]));
			if (gone instanceof Error) throw gone;
			return gone === null ? null : model.call(method, params);
		});
		const found = await readBlockAtTime(chain, moment);
		return found === null ? null : Number((found as { number: string }).number);
	};
	return { at, calls: () => calls, rounds: () => rounds };
}

/** Counts simultaneous requests as one round: `turn` returns true only for the first request of a round. */
let together: Promise<boolean> | undefined;
async function turn(): Promise<boolean> {
	const isFirst = !together;
	together ??= Promise.resolve(true).finally(() => (together = undefined));
	await together;
	return isFirst;
}

const expected = (times: readonly number[], moment: number) => {
	const after = times.findIndex((time) => time > moment);
	return after === 0 ? null : (after < 0 ? times.length : after) - 1;
};

const year = 2_600_000;
const steady = Array.from({ length: year }, (_, block) => 1_700_000_000 + block * 12);

test.each([
	['now', 9_999_999_999, 1],
	['at the head', steady.at(-1) ?? 0, 1],
	['just before it', (steady.at(-1) ?? 0) - 1, 12],
	['an hour ago', (steady.at(-1) ?? 0) - 3600, 20],
	['a month ago', (steady.at(-1) ?? 0) - 30 * 86_400, 30],
	['in the middle', 1_700_000_000 + year * 6, 30],
	['at the beginning', 1_700_000_000, 30],
	['before it', 1_699_999_999, 12],
])('in a chain of 2.6 million blocks, %s takes few calls', async (_, moment, most) => {
	const chain = chainOf(steady);
	expect(await chain.at(moment)).toBe(expected(steady, moment));
	expect(chain.calls()).toBeLessThanOrEqual(most);
	expect(chain.rounds()).toBeLessThan(9);
});

test('whatever the times, it is the last block at or before the moment', async () => {
	const gaps = fc.array(
		fc.oneof(
			fc.constant(0),
			fc.integer({ min: 1, max: 15 }),
			fc.integer({ min: 1, max: 1_000_000 }),
		),
		{ minLength: 1, maxLength: 3000 },
	);
	const property = fc.asyncProperty(
		gaps,
		fc.integer({ min: -5, max: 1005 }),
		async (all, place) => {
			let time = 0;
			const times = all.map((gap) => (time += gap));
			const moment = Math.max(0, Math.floor((time * place) / 1000));
			const chain = chainOf(times);
			expect(await chain.at(moment)).toBe(expected(times, moment));
			expect(chain.calls()).toBeLessThan(60);
		},
	);
	await fc.assert(property, { seed: getSeed(15), numRuns: 500 });
});

describe('a node that has the latest blocks only', () => {
	const gone = new RequestFailure('pruned history unavailable');

	test.each([
		[null, /does not have the blocks from the wanted time/],
		[gone, /pruned history unavailable/],
	])(
		'and answers with %p finds those, and says that it has no others',
		async (missing, message) => {
			const chain = chainOf(steady, (number) => (number < year - 1000 ? missing : undefined));
			const recent = steady[year - 500] ?? 0;
			expect(await chain.at(recent)).toBe(year - 500);
			await expect(chain.at(1_700_000_500)).rejects.toThrow(message);
			expect(chain.calls()).toBeLessThan(200);
		},
	);
});

test('a node that gives other blocks than were asked for is found out', async () => {
	const same = createChain(() => ({ number: '0x64', timestamp: '0x64' }));
	await expect(readBlockAtTime(same, 5)).rejects.toThrow('did not answer with the blocks');
	const none = readBlockAtTime(
		createChain(() => null),
		5,
	);
	await expect(none).rejects.toThrow('did not answer with its latest block');
});
