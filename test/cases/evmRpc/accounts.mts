import assert from 'node:assert/strict';
import { formatEther, getAddress } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { MNEMONIC, NAME, type Case } from '../case.mts';
import { EMPTY_BLOCK, MARKED_ADDRESS, MARKED_HASH, ZERO_HASH } from '../marked.mts';

const signer = mnemonicToAccount(MNEMONIC);
const MESSAGE = 'Sign in to example.com: 4711';

export const accounts: readonly Case[] = [
	{
		resource: 'account',
		operation: 'getBalance',
		parameters: ({ payer }) => ({ address: payer }),
		check: async ([item], { payer, chain }) => {
			const result = String(await chain('eth_getBalance', payer, 'latest'));
			const wei = BigInt(result);
			const [value, amount] = [String(wei), formatEther(wei)];
			const common = { address: getAddress(payer), symbol: null, decimals: 18, value, amount };
			assert.deepEqual(item, { ...common, result, wei: value, ether: amount });
		},
		faults: [{ travels: 'batched', answer: '0x1' }],
	},
	{
		resource: 'account',
		operation: 'getCode',
		parameters: ({ payer }) => ({ address: payer }),
		check: ([item], { payer }) => {
			const address = getAddress(payer);
			assert.deepEqual(item, { address, isContract: false, code: '0x', delegatedTo: null });
		},
		faults: [{ travels: 'batched', answer: '0x60' }],
	},
	{
		resource: 'account',
		operation: 'getTransactionCount',
		parameters: ({ payer }) => ({ address: payer }),
		check: async ([item], { payer, chain }) => {
			const result = await chain('eth_getTransactionCount', payer, 'latest');
			assert.deepEqual(item, { result, transactionCount: Number(result) });
		},
		faults: [{ travels: 'batched', answer: '0x1' }],
	},
	{
		resource: 'chain',
		operation: 'get',
		check: ([item]) => {
			assert.equal(item?.chainId, 31337);
			assert.match(String(item?.clientVersion), /^anvil/);
		},
		faults: [
			{
				travels: 'batched',
				asks: { path: '={{ "/" + $json.mark }}' },
				answer: '0x1',
				others: { eth_getBlockByNumber: EMPTY_BLOCK, web3_clientVersion: 'node/1' },
			},
		],
	},
	{
		resource: 'fee',
		operation: 'get',
		check: ([item]) => {
			assert.deepEqual(Object.keys(item ?? {}), ['gasPrice', 'baseFee', 'slow', 'normal', 'fast']);
			assert.match(JSON.stringify(item?.gasPrice), /^\{"wei":"\d+"/);
		},
	},
	{
		resource: 'fee',
		operation: 'getMaxPriority',
		check: ([item]) => assert.match(String(item?.result), /^0x[0-9a-f]+$/),
	},
	{
		resource: 'name',
		operation: 'lookup',
		parameters: ({ holder }) => ({ address: holder }),
		check: ([item]) => assert.equal(item?.name, NAME.name),
	},
	{
		resource: 'name',
		operation: 'resolve',
		parameters: () => ({ name: NAME.name, records: 'url' }),
		check: ([item], { holder }) => {
			const { name, url } = NAME;
			assert.deepEqual(item, { name, address: getAddress(holder), records: { url } });
		},
		faults: [
			{
				travels: 'batched',
				asks: { name: 'eth', options: { registry: MARKED_ADDRESS } },
				answer: ZERO_HASH,
			},
		],
	},
	{
		resource: 'price',
		operation: 'get',
		parameters: ({ feed }) => ({ feed: feed.address }),
		check: ([item], { feed }) => {
			assert.deepEqual([item?.price, item?.decimals, item?.isStale], [feed.price, 8, false]);
			assert.deepEqual([item?.description, item?.value], ['COIN / USD', '250050000000']);
		},
	},
	{
		resource: 'rpc',
		operation: 'request',
		noSchema: 'what a method of any name gives',
		parameters: ({ payer }) => ({
			method: 'eth_getTransactionCount',
			params: `["${payer}", "latest"]`,
		}),
		check: async ([item], { payer, chain }) =>
			assert.deepEqual(item, { result: await chain('eth_getTransactionCount', payer, 'latest') }),
		faults: [
			{
				about: 'that reads',
				travels: 'batched',
				asks: { method: 'eth_getCode', params: '={{ ["0x" + $json.mark] }}' },
				answer: '0x',
			},
			{
				about: 'that sends',
				travels: 'onceOverRpc',
				asks: { method: 'eth_sendRawTransaction', params: '={{ ["0x" + $json.mark] }}' },
				answer: ZERO_HASH,
			},
			{
				about: 'that the chain node does not know',
				travels: 'onceOverRpc',
				asks: { method: 'evm_mine', params: '={{ ["0x" + $json.mark] }}' },
				answer: '0x0',
			},
		],
	},
	{
		resource: 'signature',
		operation: 'verify',
		parameters: async () => ({
			address: signer.address,
			message: MESSAGE,
			signature: await signer.signMessage({ message: MESSAGE }),
		}),
		check: ([item]) => assert.deepEqual(item, { valid: true, signer: signer.address, by: 'key' }),
		alsoForSchema: ({ other }) => [
			{ address: other, message: MESSAGE, signature: `0x${'11'.repeat(64)}1b` },
		],
		faults: [
			{
				travels: 'batched',
				asks: {
					signed: 'hash',
					address: MARKED_ADDRESS,
					hash: MARKED_HASH,
					signature: `0x${'11'.repeat(64)}1b`,
				},
				answer: ZERO_HASH,
				others: { eth_getCode: '0x' },
			},
		],
	},
];
