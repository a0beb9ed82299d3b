import { catchUp } from '../../../../nodes/ActivityTrigger/readChain';
import type { ChainObject } from '../../../../nodes/core/chain/objects';
import { itemOf, type ChainView } from '../../../../nodes/core/follow/advance';
import { startAt, type Cursor } from '../../../../nodes/core/follow/position';
import { headOf } from '../../../../nodes/core/chain/blocks';
import { memoryOf } from '../../../../nodes/core/operation/results';
import type { ChainReader } from '../../../../nodes/core/rpc/chain';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import type { UnsteadyChain } from '../../evmRpcTrigger/support/unsteady.mts';
import { describeWalks } from '../../evmRpcTrigger/support/walks.mts';

const POLLS = 40;

/** Polls until all is emitted; the cursor is stored as text in between. */
async function emittedOf(chain: UnsteadyChain, viewOn: (chain: ChainReader) => ChainView) {
	const emitted: ChainObject[] = [];
	const view = viewOn({ call: chain.call, memory: memoryOf() });
	let saved = JSON.stringify(startAt({ number: chain.height, hash: chain.head.hash }));
	for (let poll = 1; poll <= POLLS; poll++) {
		if (poll === POLLS - 4) chain.calm();
		try {
			const head = await headOf(chain);
			const limits = { head, last: head.number, most: 50 + poll * 40, deadline: Infinity };
			const step = await catchUp(JSON.parse(saved) as Cursor, view, limits);
			emitted.push(...step.emissions.map((one) => itemOf(one, view)));
			saved = JSON.stringify(step.cursor);
		} catch (failure) {
			expect(failure).toBeInstanceOf(RequestFailure);
		}
	}
	return emitted;
}

describeWalks(60, emittedOf);
