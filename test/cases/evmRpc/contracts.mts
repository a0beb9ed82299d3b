import assert from 'node:assert/strict';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { getAddress } from 'viem';
import type { Case, Scene } from '../case.mts';
import { ANY_LOG, EMPTY_BLOCK, MARKED_ADDRESS } from '../marked.mts';

const sumOf = ({ gifts }: Scene) => gifts.reduce((sum, gift) => sum + gift, 0n);

/** The code of a contract that only compares the called function with `transfer` and then stops. */
const CODE_OF_ONE_FUNCTION = '0x5f3560e01c63a9059cbb14600f57005b00';

/** Deploys a minimal proxy of the token. */
async function deployClone({ chain, owner, token }: Scene): Promise<INodeParameters> {
	const code = `363d3d373d3d3d363d73${token.address.slice(2)}5af43d82803e903d91602b57fd5bf3`;
	const data = `0x602d8060093d393df3${code}`;
	const hash = await chain('eth_sendTransaction', { from: owner, data });
	const receipt = await chain('eth_getTransactionReceipt', hash);
	return { contract: String((receipt as IDataObject).contractAddress) };
}

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
		operation: 'describe',
		parameters: ({ token }) => ({ contract: token.address }),
		check: (items, { token }) => {
			const found = items.find(({ name }) => name === 'transfer');
			assert.deepEqual(
				[found?.signature, found?.selector, found?.view, found?.contract, found?.source],
				['transfer(address,uint256)', '0xa9059cbb', false, getAddress(token.address), 'standard'],
			);
			// A name is null if the function is known only by its selector, because no known standard declares it.
			assert.ok(items.every(({ name, source }) => (name === null) === (source === 'bytecode')));
		},
		alsoForSchema: (scene) => [deployClone(scene)],
		faults: [
			{
				travels: 'batched',
				asks: { contract: MARKED_ADDRESS },
				answer: CODE_OF_ONE_FUNCTION,
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
