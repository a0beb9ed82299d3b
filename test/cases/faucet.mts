import assert from 'node:assert/strict';
import { waitUntil } from '../harness/until.mts';
import type { NodeCases } from './case.mts';
import { MARKED_ADDRESS, ZERO_HASH } from './marked.mts';

/** An account that has nothing before the faucet pays. */
const POOR_ADDRESS = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
const GIFT_WEI = 10n ** 17n;

export const faucet: NodeCases = {
	node: 'faucet',
	accesses: ['platform'],
	cases: [
		{
			resource: 'faucet',
			operation: 'request',
			parameters: () => ({ chain: 'hoodi', address: POOR_ADDRESS }),
			check: async ([item], { chain }) => {
				assert.deepEqual([item?.chain, item?.address], ['hoodi', POOR_ADDRESS]);
				const hash = item?.transactionHash;
				const receipt = await waitUntil(async () => await chain('eth_getTransactionReceipt', hash));
				assert.equal((receipt as { to: string }).to, POOR_ADDRESS);
				const balance = await chain('eth_getBalance', POOR_ADDRESS, 'latest');
				assert.equal(BigInt(String(balance)), GIFT_WEI);
			},
			faults: [
				{
					travels: 'once',
					asks: { chain: 'sepolia', address: MARKED_ADDRESS },
					answer: { url: `https://example.com/tx/${ZERO_HASH}` },
				},
			],
		},
	],
};
