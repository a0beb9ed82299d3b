import { catchUp } from '../../../nodes/ActivityTrigger/catchUp';
import type { ChainView } from '../../../nodes/core/evm/follow/advance';
import { startAt, type Emission, type Cursor } from '../../../nodes/core/evm/follow/cursor';
import { headOf, type Ask } from '../../../nodes/core/evm/header';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { blocks, logs } from '../../../nodes/EvmTrigger/subjects';
import { upTo } from '../evmTrigger/scene.mts';
import { expectBlocks, expectLogs, randomOf, UnsteadyChain } from '../evmTrigger/unsteady.mts';

const POLLS = 40;

/** Polls until all is told; the place is kept as text in between. */
async function newsOf(chain: UnsteadyChain, viewOn: (ask: Ask) => ChainView): Promise<Emission[]> {
	const emitted: Emission[] = [];
	let saved = JSON.stringify(startAt({ number: chain.height, hash: chain.head.hash }));
	for (let poll = 1; poll <= POLLS; poll++) {
		if (poll === POLLS - 4) chain.calm();
		try {
			const { number: last } = await headOf(chain.ask);
			const limits = { last, most: 50 + poll * 40, deadline: Infinity };
			const step = await catchUp(JSON.parse(saved) as Cursor, viewOn(chain.ask), limits);
			emitted.push(...step.emissions);
			saved = JSON.stringify(step.cursor);
		} catch (failure) {
			expect(failure).toBeInstanceOf(RequestFailure);
		}
	}
	return emitted;
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
