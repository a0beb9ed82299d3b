import type { ChainObject } from '../../../../nodes/core/chain/objects';
import type { LiveView } from '../../../../nodes/core/follow/advance';
import type { ChainReader } from '../../../../nodes/core/rpc/chain';
import { upTo } from './scene.mts';
import {
	everyBlock,
	everyLog,
	expectBlocks,
	expectLogs,
	randomOf,
	UnsteadyChain,
} from './unsteady.mts';

/** Whatever a trigger emits while a chain and its node do what they like must add up to that chain. */
export function describeWalks(
	seeds: number,
	emittedOf: (
		chain: UnsteadyChain,
		view: (chain: ChainReader) => LiveView,
	) => Promise<readonly ChainObject[]>,
): void {
	describe.each(upTo(seeds, seeds))('seed %i: whatever a chain and its node do', (seed) => {
		test('every log is emitted once, and taken back once', async () => {
			const chain = new UnsteadyChain(randomOf(seed), 0.15);
			expectLogs(await emittedOf(chain, everyLog), chain);
		});

		test('every block is emitted once', async () => {
			const chain = new UnsteadyChain(randomOf(seed), 0.15);
			expectBlocks(await emittedOf(chain, everyBlock), chain);
		});
	});
}
