import { createCursorAfter } from '../../../../nodes/core/chain/cursor';
import type { RpcReader } from '../../../../nodes/core/chain/reader';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { followChain } from '../../../../nodes/core/evm/follow/follow';
import { addUnproven, PROOF_STATE } from '../../../../nodes/core/evm/follow/logProofs';
import { readSteps } from '../../../../nodes/core/trigger/news';
import { buildHash, EvmChain } from '../../../harness/evmChain.mts';
import { createCall } from '../../support/chains.mts';
import { createShared } from '../../../../nodes/core/net/pacing/shared';

const HEAD = 30;

/** Creates a node that has blocks up to `HEAD`. */
function createNode(): RpcReader {
	const chain = new EvmChain();
	chain.height = HEAD;
	return { call: createCall((...asked) => chain.call(...asked)), shared: createShared() };
}

test('what is known of the proofs is kept with the position, although a range fails and the time is over', async () => {
	const node = createNode();
	const failure = new RequestFailure('late');
	const range = { from: 21, to: HEAD };
	const view = {
		emitsRemovals: false,
		readBlockRef: async (number: number) =>
			await Promise.resolve({ number, hash: buildHash(number) }),
		readEvents: async () => {
			addUnproven(node.shared(PROOF_STATE), range, range);
			return await Promise.reject(failure);
		},
	};
	const followed = followChain(node, { view, confirmations: 0, doubtedBlocks: new Set() });
	const present = await followed.readPresent(undefined);
	const begun = createCursorAfter({ number: 20, hash: buildHash(20) });
	const before = { chain: { id: '1', first: null }, cursor: begun };
	if (!present) throw new Error('the node has blocks');
	const reading = await readSteps((reach) => present.readOn(before, reach), 1_000, 0);
	expect(reading).toEqual({
		failure,
		isCut: false,
		isOtherChain: false,
		items: [],
		reached: {
			chain: { id: '1', first: buildHash(1) },
			cursor: { ...begun, proofs: { blooms: 'unseen', unproven: range } },
		},
	});
});
