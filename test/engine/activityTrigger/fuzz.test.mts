import { catchUp } from '../../../nodes/ActivityTrigger/catchUp';
import type { ChainView } from '../../../nodes/core/chain/follow';
import { startAt, type News, type Position } from '../../../nodes/core/chain/position';
import { headOf, type Ask } from '../../../nodes/core/chain/view';
import { RequestFailure } from '../../../nodes/core/failure';
import { blocks, logs } from '../../../nodes/EvmTrigger/subjects';
import { upTo } from '../evmTrigger/scene.mts';
import { expectBlocks, expectLogs, randomOf, UnsteadyChain } from '../evmTrigger/unsteady.mts';

const POLLS = 40;

/** Polls until all is told; the place is kept as text in between. */
async function newsOf(chain: UnsteadyChain, viewOn: (ask: Ask) => ChainView): Promise<News[]> {
	const told: News[] = [];
	let kept = JSON.stringify(startAt({ number: chain.height, hash: chain.head.hash }));
	for (let poll = 1; poll <= POLLS; poll++) {
		if (poll === POLLS - 4) chain.calm();
		try {
			const { number: last } = await headOf(chain.ask);
			const limits = { last, most: 50 + poll * 40, deadline: Infinity };
			const step = await catchUp(JSON.parse(kept) as Position, viewOn(chain.ask), limits);
			told.push(...step.news);
			kept = JSON.stringify(step.position);
		} catch (failure) {
			expect(failure).toBeInstanceOf(RequestFailure);
		}
	}
	return told;
}

describe.each(upTo(60, 60))('seed %i: whatever a chain and its node do', (seed) => {
	test('all that happened is told once, and taken back once', async () => {
		const chain = new UnsteadyChain(randomOf(seed), 0.15);
		expectLogs(await newsOf(chain, logs({ addresses: [], topics: [] })), chain);
	});

	test('every block is told once', async () => {
		const chain = new UnsteadyChain(randomOf(seed), 0.15);
		expectBlocks(await newsOf(chain, blocks), chain);
	});
});
