import assert from 'node:assert/strict';
import type { NodeCases } from './case.mts';
import { EMPTY_BLOCK, MARKED_ADDRESS } from './marked.mts';

export const trace: NodeCases = {
	node: 'trace',
	accesses: ['token', 'basicAuth'],
	cases: [
		{
			resource: 'trace',
			operation: 'filter',
			parameters: ({ lastPayment, payer }) => ({
				fromBlock: '1',
				toBlock: String(lastPayment.blockNumber),
				fromAddress: payer,
			}),
			check: (items, { payments }) =>
				assert.deepEqual(
					items.map(({ value }) => value),
					payments.map(String),
				),
			alsoForSchema: () => [{ fromBlock: '0' }],
			faults: [
				{
					travels: 'batched',
					asks: { fromAddress: MARKED_ADDRESS, fromBlock: 1, toBlock: 1, limit: 1 },
					answer: [{ action: {}, type: 'call', blockNumber: 1 }],
					others: { eth_getBlockByNumber: EMPTY_BLOCK },
				},
			],
		},
	],
};
