import assert from 'node:assert/strict';
import { formatEther } from 'viem';
import { balanceOf, demo } from '../world.mts';
import type { Case, Json } from './case.mts';

const TOTAL_SUPPLY = '0x18160ddd';
const ETHER = 10n ** 18n;

async function lastBlock(): Promise<Json> {
	const number = `0x${demo.chain.toBlock.toString(16)}`;
	return (await demo.sandbox.chain('eth_getBlockByNumber', number, false)) as Json;
}

export const evm: readonly Case[] = [
	{
		...{ type: 'evmRpc', resource: 'block', operation: 'get' },
		parameters: () => ({ block: String(demo.chain.toBlock) }),
		check: async ([item]) => {
			const { hash, transactions } = await lastBlock();
			assert.deepEqual([item?.number, item?.hash], [demo.chain.toBlock, hash]);
			assert.deepEqual(item?.transactions, transactions);
		},
	},
	{
		...{ type: 'evmRpc', resource: 'block', operation: 'getSystemTransactions' },
		parameters: () => ({ block: '0x0' }),
		check: (items) => {
			assert.equal(items.length, 2);
			assert.deepEqual(
				items.map(({ blockNumber, transactionIndex }) => [blockNumber, transactionIndex]),
				[
					['0x0', '0x0'],
					['0x0', '0x1'],
				],
			);
		},
	},
	{
		...{ type: 'evmRpc', resource: 'transaction', operation: 'getByBlockHashAndIndex' },
		parameters: async () => ({ blockHash: (await lastBlock()).hash, transactionIndex: '0' }),
		check: ([item]) => {
			assert.equal(String(item?.from).toLowerCase(), demo.chain.payer.toLowerCase());
			assert.equal(item?.value, String(ETHER));
		},
	},
	{
		...{ type: 'evmRpc', resource: 'fee', operation: 'getMaxPriority' },
		check: ([item]) => assert.match(String(item?.result), /^0x[0-9a-f]+$/),
	},
	{
		...{ type: 'evmRpc', resource: 'account', operation: 'getBalance' },
		parameters: () => ({ address: demo.chain.payer }),
		check: async ([item]) => {
			const wei = await balanceOf(demo.chain.payer);
			const result = `0x${BigInt(wei).toString(16)}`;
			assert.deepEqual(item, { result, wei, ether: formatEther(BigInt(wei)) });
		},
	},
	{
		...{ type: 'evmRpc', resource: 'contract', operation: 'call' },
		parameters: () => ({ to: demo.chain.token, callBy: 'data', data: TOTAL_SUPPLY }),
		check: ([item]) => assert.equal(BigInt(String(item?.result)), 1_000_000n * ETHER),
	},
	{
		...{ type: 'evmRpc', resource: 'rpc', operation: 'request' },
		parameters: () => ({ method: 'eth_getCode', params: `["${demo.chain.token}", "latest"]` }),
		check: ([item]) => assert.match(String(item?.result), /^0x6080[0-9a-f]+$/),
	},
	{
		...{ type: 'trace', operation: 'filter' },
		parameters: () => ({
			fromBlock: String(demo.chain.fromBlock),
			toBlock: String(demo.chain.toBlock),
			fromAddress: demo.chain.payer,
			returnAll: true,
		}),
		check: (items) => {
			const values = items.map(({ value }) => BigInt(String(value)) / ETHER);
			assert.deepEqual(values, [3n, 2n, 1n, 1n]);
		},
	},
];
