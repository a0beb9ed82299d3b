import { transfer, type WitnessChain } from '../../harness/witnessChain.mts';
import { base58, startWatch, type Watch } from './support/watch.mts';

/**
 * These tests check a trigger that begins in the past: it must read all blocks from there on, without a gap at the
 * present.
 */

let watch: Watch;
beforeEach(async () => {
	watch = await startWatch();
	for (let paid = 1; paid <= 60; paid++) watch.chain.mine(transfer('buyer', 'shop', paid));
	watch.settle();
});
afterEach(async () => await watch.server.stop());

function timeOf(chain: WitnessChain, block: number): number {
	const { block_header: header } = chain.block(block) as {
		block_header: { raw_data: { timestamp: number } };
	};
	return header.raw_data.timestamp;
}

/** Values of the option Start At, with the number of blocks from the start to the last irreversible block. */
const STARTS: ReadonlyArray<readonly [string, (chain: WitnessChain) => unknown, number]> = [
	['a number of blocks back', () => '40 blocks back', 40],
	['a block', ({ solid }) => solid - 20, 20],
	['the last block', ({ solid }) => solid, 0],
	['a time', (chain) => new Date(timeOf(chain, chain.solid - 30)).toISOString(), 30],
	[
		'a time between two blocks',
		(chain) => new Date(timeOf(chain, chain.solid - 30) + 1000).toISOString(),
		29,
	],
	['a time before the first block', () => '2000-01-01', 90],
];

test.each(STARTS)(
	'it begins with %s; each payment comes once, over several lives',
	async (_what, find, back) => {
		const { chain, workflow, settle } = watch;
		const options = { startAt: find(chain) as string, maxBlocksPerPoll: 7 };
		const parameters = { addresses: base58('shop'), options };
		const first = Math.max(chain.solid - back, chain.head - chain.lag - 59);
		let life = workflow(parameters);
		expect((await life.activate()).items).toEqual([]);
		const numbers: unknown[] = [];
		for (let count = 1; count > 0; ) {
			const { items, error } = await life.poll();
			expect(error).toBeUndefined();
			numbers.push(...items.map(({ blockNumber }) => blockNumber));
			count = items.length;
			life = workflow(parameters, { saved: life.saved() });
		}
		const all = Array.from({ length: chain.solid - first + 1 }, (_, at) => first + at);
		expect(numbers).toEqual(all);
		chain.mine(transfer('buyer', 'shop', 61));
		settle();
		expect((await life.poll()).items.map(({ value }) => value)).toEqual(['61']);
	},
);

test.each([
	['a block', (chain: WitnessChain) => chain.solid + 1],
	['a time', () => '2999-01-01'],
])('%s in the future is refused, naming the latest block', async (_what, find) => {
	const { chain, workflow } = watch;
	const options = { startAt: find(chain) };
	await expect(workflow({ addresses: base58('shop'), options }).activate()).rejects.toThrow(
		new RegExp(`'Start At' lies in the future: the latest block is ${chain.solid}`),
	);
});
