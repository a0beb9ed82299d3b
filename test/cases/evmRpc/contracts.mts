import assert from 'node:assert/strict';
import { getAddress } from 'viem';
import type { Case, Scene } from '../case.mts';
import { ANY_LOG, EMPTY_BLOCK, MARKED_ADDRESS } from '../marked.mts';

const sumOf = ({ gifts }: Scene) => gifts.reduce((sum, gift) => sum + gift, 0n);

export const contracts: readonly Case[] = [
	{
		resource: 'contract',
		operation: 'call',
		noSchema: 'what the function returns',
		parameters: ({ token, holder }) => ({
			to: token.address,
			function: 'balanceOf(address owner) view returns (uint256 balance)',
			argumentsBy: 'json',
			arguments: `["${holder}"]`,
		}),
		check: ([item], scene) => assert.equal(item?.result, String(sumOf(scene))),
		faults: [
			{
				travels: 'batched',
				asks: { callBy: 'data', to: MARKED_ADDRESS, data: '0x00' },
				answer: '0x01',
			},
		],
	},
	{
		resource: 'contract',
		operation: 'estimateGas',
		parameters: ({ token, holder, owner }) => ({
			to: token.address,
			function: 'transfer(address to, uint256 amount)',
			argumentsBy: 'json',
			arguments: `["${holder}", 1000000]`,
			callOptions: { from: owner },
		}),
		check: ([item]) => assert.ok(Number(item?.result) > 21_000),
		faults: [
			{
				travels: 'batched',
				asks: { callBy: 'data', to: MARKED_ADDRESS, data: '0x00' },
				answer: '0x5208',
			},
		],
	},
	{
		resource: 'log',
		operation: 'getAll',
		parameters: ({ token, holder }) => ({
			addresses: token.address,
			event: 'Transfer(address indexed from, address indexed to, uint256 value)',
			where: JSON.stringify({ to: holder }),
			fromBlock: 'earliest',
		}),
		check: (items, { gifts, holder }) => {
			const found = items.map(({ args }) => args as Record<string, unknown>);
			const expected = gifts.map((gift) => [getAddress(holder), String(gift)]);
			assert.deepEqual(
				found.map(({ to, value }) => [to, value]),
				expected,
			);
		},
		faults: [
			{
				travels: 'batched',
				asks: { addresses: MARKED_ADDRESS, fromBlock: 1, toBlock: 1, limit: 1 },
				answer: [ANY_LOG],
				others: { eth_getBlockByNumber: EMPTY_BLOCK },
			},
		],
	},
];
