import type { IDataObject } from 'n8n-workflow';
import { deployContract } from '../../../harness/contract.mts';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';
import { createRandom } from '../../../harness/random.mts';
import { createWorld } from '../support/world.mts';

/** These tests read a day of a price feed. Some of its rounds are bad, and their values must not count as prices. */

const world = createWorld();
const ROUNDS_OF_A_DAY = 288;
const DAY = 86_400;
/** The time limit is long enough for all rounds on a busy machine. */
const PATIENCE_MS = 900_000;

const LINE = 2_990_00000001n;
const BACK = 3_000_00000000n;

type Kind = 'good' | 'zero' | 'negative' | 'unfinished' | 'future' | 'stale';
const BAD: readonly Kind[] = ['zero', 'negative', 'unfinished', 'future', 'stale'];

test(
	'a day of a price feed starts the workflow by its good rounds alone',
	async () => {
		const { sandbox, workflow } = world;
		const random = createRandom(getSeed(7604));
		const feed = await deployContract(sandbox, 'Feed', { file: 'Feeds' });
		const timeOf = async () => {
			const block = (await sandbox.chain('eth_getBlockByNumber', 'latest', false)) as {
				timestamp: string;
			};
			return Number(block.timestamp);
		};
		let round = 0n;
		const setRound = async (kind: Kind, price: bigint) => {
			round += 1n;
			const now = BigInt(await timeOf());
			const updatedAt =
				{ future: now + 9_000n, stale: now - BigInt(DAY) - 9n }[kind as 'stale'] ?? now;
			const answer = kind === 'zero' ? 0n : kind === 'negative' ? 2n ** 256n - price : price;
			const data = feed.data(
				'setRound(uint80,int256,uint256,uint80)',
				round,
				answer,
				updatedAt,
				kind === 'unfinished' ? round - 1n : round,
			);
			await sandbox.mined({ from: feed.owner, to: feed.address, data });
		};
		await setRound('good', BACK);
		const polled = workflow({
			event: 'value',
			measure: 'price',
			feed: feed.address,
			threshold: toText(LINE),
			rearmAt: toText(BACK),
			options: { maxRetries: 0 },
		});
		const items: IDataObject[] = [...(await polled.activate()).items];
		const good = [BACK];
		let bad = 0;
		for (let left = getCaseCount(ROUNDS_OF_A_DAY); left > 0; left--) {
			await sandbox.chain('evm_increaseTime', DAY / ROUNDS_OF_A_DAY);
			const kind = random.upTo(3) === 0 ? random.oneOf(BAD) : 'good';
			const price = 2_985_00000000n + BigInt(random.upTo(20)) * 100000000n + BigInt(random.upTo(1));
			await setRound(kind, price);
			const result = await polled.poll();
			items.push(...result.items);
			expect(result.error !== undefined).toBe(kind !== 'good');
			if (kind === 'good') good.push(price);
			else bad++;
		}
		const starts = findStarts(good);
		expect(items.map(({ value, unit }) => [value, unit])).toEqual(
			starts.map((price) => [toText(price), 'USD']),
		);
		expect(bad).toBeGreaterThan(2);
		expect(starts).not.toEqual([]);
	},
	PATIENCE_MS,
);

/**
 * Finds the prices that start the workflow: the first price below `LINE`, and the first price below `LINE` after each
 * return above it.
 */
function findStarts(prices: readonly bigint[]): readonly bigint[] {
	const first = prices.findIndex((one) => one < LINE);
	if (first < 0) return [];
	const rest = prices.slice(first + 1);
	const back = rest.findIndex((one) => one >= BACK);
	const start = prices.slice(first, first + 1);
	return back < 0 ? start : [...start, ...findStarts(rest.slice(back + 1))];
}

const toText = (price: bigint) =>
	`${price / 100000000n}.${String(price % 100000000n).padStart(8, '0')}`.replace(/\.?0+$/, '');
