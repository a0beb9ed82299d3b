import assert from 'node:assert/strict';
import { formatEther, getAddress, keccak256, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { registerName } from '../../harness/names.mts';
import { balanceOf, demo } from '../world.mts';
import type { Case, Json } from './case.mts';

const TOTAL_SUPPLY = '0x18160ddd';
const ETHER = 10n ** 18n;

async function lastBlock(): Promise<Json> {
	const number = `0x${demo.chain.toBlock.toString(16)}`;
	return (await demo.sandbox.chain('eth_getBlockByNumber', number, false)) as Json;
}

/** One of the chain's own accounts, from which nothing else here sends. */
const sender = mnemonicToAccount('test test test test test test test test test test test junk', {
	addressIndex: 8,
});

export async function signedTransaction() {
	const nonce = Number(
		await demo.sandbox.chain('eth_getTransactionCount', sender.address, 'pending'),
	);
	return await sender.signTransaction({
		type: 'eip1559',
		chainId: 31337,
		nonce,
		gas: 21_000n,
		value: 1n,
		to: sender.address,
		maxFeePerGas: 10n ** 11n,
		maxPriorityFeePerGas: 1n,
	});
}

const receiptOf = async () =>
	(await demo.sandbox.chain('eth_getTransactionReceipt', demo.chain.transactionHash)) as Json;

export const evm: readonly Case[] = [
	{
		type: 'evmRpc',
		resource: 'block',
		operation: 'get',
		parameters: () => ({ block: String(demo.chain.toBlock) }),
		check: async ([item]) => {
			const { hash, transactions } = await lastBlock();
			assert.deepEqual([item?.number, item?.hash], [demo.chain.toBlock, hash]);
			assert.deepEqual(item?.transactions, transactions);
		},
	},
	{
		type: 'evmRpc',
		resource: 'block',
		operation: 'getSystemTransactions',
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
		type: 'evmRpc',
		resource: 'transaction',
		operation: 'getByBlockHashAndIndex',
		parameters: async () => ({ blockHash: (await lastBlock()).hash, transactionIndex: '0' }),
		check: ([item]) => {
			assert.equal(String(item?.from).toLowerCase(), demo.chain.payer.toLowerCase());
			assert.equal(item?.value, String(ETHER));
		},
	},
	{
		type: 'evmRpc',
		resource: 'block',
		operation: 'getByTime',
		parameters: async () => ({ time: Number((await lastBlock()).timestamp) }),
		check: async ([item]) => {
			const { timestamp } = await lastBlock();
			assert.equal(item?.timestamp, new Date(Number(timestamp) * 1000).toISOString());
		},
	},
	{
		type: 'evmRpc',
		resource: 'transaction',
		operation: 'get',
		parameters: () => ({ transactionHash: demo.chain.transactionHash }),
		check: ([item]) => assert.equal(item?.value, String(ETHER)),
	},
	...(['getReceipt', 'wait'] as const).map(
		(operation): Case => ({
			type: 'evmRpc',
			resource: 'transaction',
			operation,
			parameters: () => ({ transactionHash: demo.chain.transactionHash }),
			check: async ([item]) => {
				const { gasUsed, effectiveGasPrice } = await receiptOf();
				const fee = BigInt(String(gasUsed)) * BigInt(String(effectiveGasPrice));
				assert.deepEqual([item?.status, item?.fee], ['success', String(fee)]);
			},
		}),
	),
	{
		type: 'evmRpc',
		resource: 'transaction',
		operation: 'prepare',
		parameters: () => ({
			from: sender.address,
			kind: 'tokenApproval',
			token: demo.chain.token,
			spender: demo.chain.payer,
			amount: 'unlimited',
		}),
		check: ([item]) => {
			const { from, to } = item?.transaction as Json;
			assert.deepEqual([from, to], [sender.address, getAddress(demo.chain.token)]);
			assert.equal(keccak256(item?.unsignedTransaction as Hex), item?.signingHash);
		},
	},
	{
		type: 'evmRpc',
		resource: 'transaction',
		operation: 'send',
		parameters: async () => ({ signedTransaction: await signedTransaction() }),
		check: async ([item]) => {
			const hash = item?.transactionHash;
			assert.equal(item?.result, hash);
			assert.ok(await demo.sandbox.chain('eth_getTransactionByHash', hash));
		},
	},
	{
		type: 'evmRpc',
		resource: 'fee',
		operation: 'get',
		check: ([item]) => {
			assert.deepEqual(Object.keys(item ?? {}), ['gasPrice', 'baseFee', 'slow', 'normal', 'fast']);
			assert.match(String((item?.gasPrice as Json).wei), /^\d+$/);
		},
	},
	{
		type: 'evmRpc',
		resource: 'fee',
		operation: 'getMaxPriority',
		check: ([item]) => assert.match(String(item?.result), /^0x[0-9a-f]+$/),
	},
	{
		type: 'evmRpc',
		resource: 'account',
		operation: 'getBalance',
		parameters: () => ({ address: demo.chain.payer }),
		check: async ([item]) => {
			const wei = await balanceOf(demo.chain.payer);
			const result = `0x${BigInt(wei).toString(16)}`;
			assert.deepEqual(item, { result, wei, ether: formatEther(BigInt(wei)) });
		},
	},
	{
		type: 'evmRpc',
		resource: 'account',
		operation: 'getCode',
		parameters: () => ({ address: demo.chain.token }),
		check: ([item]) => {
			assert.deepEqual([item?.isContract, item?.delegatedTo], [true, null]);
			assert.match(String(item?.code), /^0x6080[0-9a-f]+$/);
		},
	},
	{
		type: 'evmRpc',
		resource: 'chain',
		operation: 'get',
		check: ([item]) => {
			assert.equal(item?.chainId, 31337);
			assert.match(String(item?.clientVersion), /^anvil/);
		},
	},
	{
		type: 'evmRpc',
		resource: 'account',
		operation: 'getTransactionCount',
		parameters: () => ({ address: demo.chain.payer }),
		check: async ([item]) => {
			const count = await demo.sandbox.chain('eth_getTransactionCount', demo.chain.payer, 'latest');
			assert.deepEqual(item, { result: count, transactionCount: Number(count) });
		},
	},
	{
		type: 'evmRpc',
		resource: 'log',
		operation: 'getAll',
		parameters: () => ({
			addresses: demo.chain.token,
			event: 'Transfer(address indexed from, address indexed to, uint256 value)',
			where: JSON.stringify({ to: demo.chain.holder }),
			fromBlock: 'earliest',
			returnAll: true,
		}),
		check: (items) => {
			assert.equal(items.length, demo.chain.transfers);
			const { to, value } = items[0]?.args as Json;
			assert.deepEqual([to, value], [getAddress(demo.chain.holder), String(ETHER)]);
		},
	},
	{
		type: 'evmRpc',
		resource: 'name',
		operation: 'resolve',
		parameters: async () => {
			const { chain, mine } = demo.sandbox;
			const named = { call: chain, mine };
			await registerName(named, 'wallet.example.eth', sender.address, 'https://example.com');
			return { name: 'Wallet.Example.eth', records: 'url, email' };
		},
		check: ([item]) =>
			assert.deepEqual(item, {
				name: 'wallet.example.eth',
				address: sender.address,
				records: { url: 'https://example.com', email: null },
			}),
	},
	{
		type: 'evmRpc',
		resource: 'name',
		operation: 'lookup',
		parameters: () => ({ address: sender.address }),
		check: ([item]) => assert.equal(item?.name, 'wallet.example.eth'),
	},
	{
		type: 'evmRpc',
		resource: 'signature',
		operation: 'verify',
		parameters: async () => ({
			address: sender.address,
			message: 'Sign in to example.com',
			signature: await sender.signMessage({ message: 'Sign in to example.com' }),
		}),
		check: ([item]) => assert.deepEqual(item, { valid: true, signer: sender.address, by: 'key' }),
	},
	{
		type: 'evmRpc',
		resource: 'nft',
		operation: 'get',
		parameters: () => ({ contract: demo.chain.pieces, tokenId: '1' }),
		check: ([item]) => {
			const metadata = { name: 'A Demo Piece' };
			assert.deepEqual(item, {
				contract: getAddress(demo.chain.pieces),
				tokenId: '1',
				standard: 'ERC-721',
				name: 'Demo Pieces',
				symbol: 'PIECE',
				owner: getAddress(demo.chain.holder),
				tokenUri: `data:application/json,${JSON.stringify(metadata)}`,
				metadata,
				metadataError: null,
			});
		},
	},
	{
		type: 'evmRpc',
		resource: 'nft',
		operation: 'getBalance',
		parameters: () => ({ contract: demo.chain.pieces, owner: demo.chain.holder }),
		check: ([item]) => assert.deepEqual([item?.standard, item?.balance], ['ERC-721', '1']),
	},
	{
		type: 'evmRpc',
		resource: 'nft',
		operation: 'getTransfers',
		parameters: () => ({ accounts: demo.chain.holder, fromBlock: 'earliest', returnAll: true }),
		check: (items) =>
			assert.deepEqual(
				items.map(({ tokenId, quantity, to }) => [tokenId, quantity, to]),
				[['1', '1', getAddress(demo.chain.holder)]],
			),
	},
	{
		type: 'evmRpc',
		resource: 'token',
		operation: 'get',
		parameters: () => ({ token: demo.chain.token }),
		check: ([item]) =>
			assert.deepEqual(item, {
				token: getAddress(demo.chain.token),
				name: 'Demo Coin',
				symbol: 'DEMO',
				decimals: 18,
				totalSupply: String(1_000_000n * ETHER),
				supply: '1000000',
			}),
	},
	{
		type: 'evmRpc',
		resource: 'token',
		operation: 'getBalance',
		parameters: () => ({ token: demo.chain.token, owner: demo.chain.holder }),
		check: ([item]) => assert.equal(item?.amount, '1.500000000000000001'),
	},
	{
		type: 'evmRpc',
		resource: 'token',
		operation: 'getAllowance',
		parameters: () => ({
			token: demo.chain.token,
			owner: demo.chain.holder,
			spender: demo.chain.payer,
		}),
		check: ([item]) => assert.deepEqual([item?.allowance, item?.amount], ['0', '0']),
	},
	{
		type: 'evmRpc',
		resource: 'token',
		operation: 'getTransfers',
		parameters: () => ({ accounts: demo.chain.holder, fromBlock: 'earliest', returnAll: true }),
		check: (items) =>
			assert.deepEqual(
				items.map(({ amount, symbol }) => [amount, symbol]),
				['1', '0.5', '0.000000000000000001'].map((amount) => [amount, 'DEMO']),
			),
	},
	{
		type: 'evmRpc',
		resource: 'contract',
		operation: 'call',
		parameters: () => ({ to: demo.chain.token, callBy: 'data', data: TOTAL_SUPPLY }),
		check: ([item]) => assert.equal(BigInt(String(item?.result)), 1_000_000n * ETHER),
	},
	{
		type: 'evmRpc',
		resource: 'contract',
		operation: 'estimateGas',
		parameters: () => ({ to: demo.chain.token, callBy: 'data', data: TOTAL_SUPPLY }),
		check: ([item]) => assert.ok(Number(item?.result) > 21_000),
	},
	{
		type: 'evmRpc',
		resource: 'rpc',
		operation: 'request',
		parameters: () => ({ method: 'eth_getCode', params: `["${demo.chain.token}", "latest"]` }),
		check: ([item]) => assert.match(String(item?.result), /^0x6080[0-9a-f]+$/),
	},
	{
		type: 'trace',
		operation: 'filter',
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
