import { createCursorAfter } from '../../../../nodes/core/chain/cursor';
import type { RpcReader } from '../../../../nodes/core/chain/reader';
import { RequestFailure } from '../../../../nodes/core/errors/requestFailure';
import { followChain } from '../../../../nodes/core/evm/follow/follow';
import { addUnproven, createProofState } from '../../../../nodes/core/evm/follow/logProofs';
import { createShared } from '../../../../nodes/core/operation/results';
import { readSteps } from '../../../../nodes/core/trigger/news';
import { numberToHex } from '../../../../nodes/core/values/numbers';

const HEAD = 30;
const hashOf = (number: number) => `0x${String(number).padStart(64, '0')}`;

/** A node with blocks up to the head. */
function createNode(): RpcReader {
	const call: RpcReader['call'] = async (method, params) => {
		const [id] = Array.isArray(params) ? (params as unknown[]) : [];
		if (method === 'eth_chainId') return await Promise.resolve('0x1');
		const number = id === 'latest' ? HEAD : Number(id);
		return {
			number: numberToHex(number),
			hash: hashOf(number),
			parentHash: hashOf(number - 1),
			timestamp: numberToHex(number),
		};
	};
	return { call, shared: createShared() };
}

test('what is known of the proofs is kept with the position, although a range fails and the time is over', async () => {
	const node = createNode();
	const failure = new RequestFailure('late');
	const range = { from: 21, to: HEAD };
	const view = {
		emitsRemovals: false,
		readBlockRef: async (number: number) => await Promise.resolve({ number, hash: hashOf(number) }),
		readEvents: async () => {
			addUnproven(node.shared(createProofState), range, range);
			return await Promise.reject(failure);
		},
	};
	const followed = followChain(node, { view, confirmations: 0, doubtedBlocks: new Set() });
	const present = await followed.readPresent(undefined);
	const begun = createCursorAfter({ number: 20, hash: hashOf(20) });
	const before = { chain: { id: '1', first: null }, cursor: begun };
	if (!present) throw new Error('the node has blocks');
	const reading = await readSteps((reach) => present.readOn(before, reach), 1_000, 0);
	expect(reading).toEqual({
		failure,
		isCut: false,
		isOtherChain: false,
		items: [],
		reached: {
			chain: { id: '1', first: hashOf(1) },
			cursor: { ...begun, proofs: { blooms: 'unseen', unproven: range } },
		},
	});
});
