import fc from 'fast-check';
import { deposit, watchingKey } from '../../harness/accountKey.mts';
import { transfer, WitnessChain } from '../../harness/witnessChain.mts';
import { getCaseCount } from '../../harness/caseCount.mts';
import { base58, startWatch } from './support/watch.mts';

/** Random steps, each of which happens between two polls. */
const steps = fc.array(
	fc.record({
		/** The payments of each new block. A payment of -1 fails. */
		blocks: fc.array(fc.array(fc.integer({ min: -1, max: 3 }), { maxLength: 3 }), {
			maxLength: 25,
		}),
		lag: fc.constantFrom(0, 0, 1, 19, 40),
		/** How many blocks each of the nodes behind the service's URL lacks, in turn. */
		missing: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 4 }),
		trouble: fc.constantFrom(
			'none',
			'none',
			'error',
			'noReceipts',
			'otherBranch',
			'noRanges',
			'noView',
		),
		restarts: fc.boolean(),
	}),
	{ minLength: 1, maxLength: 12 },
);

type Trouble = 'none' | 'error' | 'noReceipts' | 'otherBranch' | 'noRanges' | 'noView';

function makeTrouble(chain: WitnessChain, trouble: Trouble, seed: number): void {
	chain.unserved.clear();
	let count = seed;
	/** Only every third answer of the node is false. */
	const isStruck = () => count++ % 3 === 0;
	const changes: Record<Trouble, WitnessChain['change']> = {
		none: (answer) => answer,
		noView: (answer) => answer,
		error: (answer) => (isStruck() ? { Error: 'class org.example.Failure : not now' } : answer),
		noReceipts: (answer, method) =>
			method === 'gettransactioninfobyblocknum' && isStruck() ? [] : answer,
		noRanges: (answer, method) => (method === 'getblockbylimitnext' ? {} : answer),
		otherBranch: (answer, method) => {
			const { block } = answer as { block?: object[] };
			if (method !== 'getblockbylimitnext' || !block || !isStruck()) return answer;
			const raw_data = { number: 1, timestamp: 1, parentHash: 'ab'.repeat(32) };
			return {
				block: [...block.slice(0, 2), { blockID: 'cd'.repeat(32), block_header: { raw_data } }],
			};
		},
	};
	chain.change = changes[trouble];
	if (trouble === 'noView') {
		for (const method of [
			'getnowblock',
			'getblockbynum',
			'getblockbylimitnext',
			'gettransactioninfobyblocknum',
		])
			chain.unserved.add(`walletsolidity/${method}`);
	}
}

const WATCHED = [
	['addresses', { addresses: base58('shop') }, 'shop'],
	['an account key', watchingKey(), deposit(3)],
] as const;

test.each(WATCHED)(
	'each payment to %s comes exactly once and in order, whatever happens between the polls',
	async (_what, watched, shop) => {
		const property = fc.asyncProperty(steps, async (story) => {
			const watch = await startWatch(new WitnessChain());
			const { chain, workflow, server } = watch;
			const parameters = { ...watched, options: { maxBlocksPerPoll: 15 } };
			let life = workflow(parameters);
			await life.activate();
			const expected: string[] = [];
			const seen: unknown[] = [];
			let paid = 0;
			const poll = async () => {
				const { items } = await life.poll();
				for (const { amount } of items) seen.push(amount);
				return items.length;
			};
			for (const [index, { blocks, lag, missing, trouble, restarts }] of story.entries()) {
				for (const payments of blocks) {
					chain.mine(
						...payments.map((kind) => {
							if (kind <= 0)
								return {
									...transfer('buyer', shop, 1),
									hasFailed: kind < 0,
									...(kind === 0 && transfer('a', 'b', 1)),
								};
							expected.push(`0.${String(++paid).padStart(6, '0')}`.replace(/0+$/, ''));
							return transfer('buyer', shop, paid);
						}),
					);
				}
				chain.lag = 19 + lag;
				let turn = index;
				chain.missing = () => missing[turn++ % missing.length] ?? 0;
				makeTrouble(chain, trouble, index);
				if (restarts) life = workflow(parameters, { saved: life.saved() });
				await poll();
			}
			chain.lag = 19;
			chain.missing = () => 0;
			makeTrouble(chain, 'none', 0);
			chain.mineEmpty(19);
			while ((await poll()) > 0);
			await server.stop();
			expect(seen).toEqual(expected);
		});
		await fc.assert(property, { numRuns: getCaseCount(40) });
	},
);
