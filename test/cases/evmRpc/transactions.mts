import assert from 'node:assert/strict';
import {
	encodeFunctionData,
	erc20Abi,
	erc721Abi,
	getAddress,
	keccak256,
	toFunctionSelector,
	type Abi,
	type Hex,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { MNEMONIC, type Case, type Scene } from '../case.mts';
import { EMPTY_BLOCK, HASH_OF_SENT, MARKED_ADDRESS, SIX, TOKEN_ADDRESS } from '../marked.mts';

/** One of the chain's own accounts. Only this case sends transactions from it. */
const sender = mnemonicToAccount(MNEMONIC, { addressIndex: 8 });

/** A signed legacy transaction. Its bytes are only long enough to look like one. */
const MARKED_SIGNED = '={{ "0xf86b" + "00".repeat(40) + $json.mark }}';
const RICH_PAYER = `0x${'60'.repeat(20)}`;
/** The answers of a chain node on which no call fails and every payer has enough coins. */
const RICH_CHAIN = {
	eth_chainId: '0x1',
	eth_gasPrice: '0x5',
	eth_feeHistory: { baseFeePerGas: ['0x5'], gasUsedRatio: [1], reward: [['0x1', '0x1', '0x1']] },
	eth_getBlockByNumber: { ...EMPTY_BLOCK, baseFeePerGas: '0x5', gasLimit: '0x1c9c380' },
	eth_getBalance: `0x${'f'.repeat(20)}`,
	eth_getTransactionCount: '0x7',
	eth_getCode: '0x',
};
const TOKEN_CHAIN: Readonly<Record<string, unknown>> = {
	...RICH_CHAIN,
	eth_getCode: '0x60',
	eth_call: SIX,
};

/** Answers like a chain with a token of six decimals, of which every account has a large amount. */
const answerAsTokenChain = ({ json }: { readonly json: unknown }) => {
	const { method, params } = json as { readonly method: string; readonly params: unknown[] };
	const { data } = (params[0] ?? {}) as { readonly data?: string };
	const asksBalance =
		method === 'eth_call' && data?.startsWith(toFunctionSelector('balanceOf(address)'));
	return asksBalance ? `0x${'f'.repeat(32).padStart(64, '0')}` : (TOKEN_CHAIN[method] ?? '0x5208');
};

export async function signTransfer({ chain, other }: Scene): Promise<Hex> {
	const nonce = Number(await chain('eth_getTransactionCount', sender.address, 'pending'));
	return await sender.signTransaction({
		type: 'eip1559',
		chainId: 31337,
		nonce,
		gas: 21_000n,
		value: 1n,
		to: getAddress(other),
		maxFeePerGas: 10n ** 11n,
		maxPriorityFeePerGas: 1n,
	});
}

/** Builds the parameters that simulate a call of a contract. */
const ofCall = (from: string, to: string, abi: Abi, functionName: string, args: unknown[]) => ({
	transaction: JSON.stringify({ from, to, data: encodeFunctionData({ abi, functionName, args }) }),
});

interface Block {
	readonly hash: string;
	readonly timestamp: string;
	readonly transactions: readonly string[];
}

async function readBlock({ chain, lastPayment }: Scene): Promise<Block> {
	const number = `0x${lastPayment.blockNumber.toString(16)}`;
	return (await chain('eth_getBlockByNumber', number, false)) as Block;
}

const timeOf = ({ timestamp }: Block) => new Date(Number(timestamp) * 1000).toISOString();

const ofLastPayment: Case['parameters'] = ({ lastPayment }) => ({
	transactionHash: lastPayment.transactionHash,
});

/** This transaction has logs. */
const ofGift: Case['alsoForSchema'] = ({ giftHash }) => [{ transactionHash: giftHash }];

const isLastPayment: Case['check'] = ([item], { payer, payments }) => {
	assert.equal(String(item?.from).toLowerCase(), payer.toLowerCase());
	assert.equal(item?.value, String(payments.at(-1)));
};

const hasItsFee: Case['check'] = async ([item], { chain, lastPayment }) => {
	const receipt = await chain('eth_getTransactionReceipt', lastPayment.transactionHash);
	const { gasUsed, effectiveGasPrice } = receipt as Record<string, string>;
	const fee = BigInt(String(gasUsed)) * BigInt(String(effectiveGasPrice));
	assert.deepEqual([item?.status, item?.fee], ['success', String(fee)]);
};

export const transactions: readonly Case[] = [
	{
		resource: 'block',
		operation: 'get',
		parameters: ({ lastPayment }) => ({ block: String(lastPayment.blockNumber) }),
		check: async ([item], scene) => {
			const { hash, transactions } = await readBlock(scene);
			assert.deepEqual([item?.number, item?.hash], [scene.lastPayment.blockNumber, hash]);
			assert.deepEqual(item?.transactions, transactions);
		},
	},
	{
		resource: 'block',
		operation: 'getByTime',
		parameters: async (scene) => ({ time: timeOf(await readBlock(scene)) }),
		check: async ([item], scene) => {
			assert.equal(item?.timestamp, timeOf(await readBlock(scene)));
		},
	},
	{
		resource: 'block',
		operation: 'getSystemTransactions',
		parameters: () => ({ block: '0' }),
		check: (items) =>
			assert.deepEqual(
				items.map(({ blockNumber, transactionIndex }) => [blockNumber, transactionIndex]),
				[
					['0x0', '0x0'],
					['0x0', '0x1'],
				],
			),
	},
	{
		resource: 'transaction',
		operation: 'get',
		parameters: ofLastPayment,
		check: isLastPayment,
	},
	{
		resource: 'transaction',
		operation: 'getByBlockHashAndIndex',
		parameters: ({ lastPayment }) => ({
			blockHash: lastPayment.blockHash,
			transactionIndex: '0',
		}),
		check: isLastPayment,
		faults: [{ travels: 'batched', answer: EMPTY_BLOCK }],
	},
	{
		resource: 'transaction',
		operation: 'getReceipt',
		parameters: ofLastPayment,
		check: hasItsFee,
		alsoForSchema: ofGift,
		faults: [{ travels: 'batched', answer: null }],
	},
	{
		resource: 'transaction',
		operation: 'wait',
		parameters: ofLastPayment,
		check: hasItsFee,
		alsoForSchema: ofGift,
	},
	{
		resource: 'transaction',
		operation: 'prepare',
		parameters: ({ other }) => ({ from: sender.address, to: other, amount: '0.1' }),
		check: ([item], { other }) => {
			const { from, to } = item?.transaction as Record<string, unknown>;
			assert.deepEqual([from, to], [sender.address, getAddress(other)]);
			assert.equal(keccak256(item?.unsignedTransaction as Hex), item?.signingHash);
		},
		faults: [
			{
				about: 'a payment',
				travels: 'batched',
				asks: { from: RICH_PAYER, to: MARKED_ADDRESS, amount: '1' },
				answer: '0x5208',
				others: RICH_CHAIN,
			},
			{
				about: 'a payment in a token',
				travels: 'batched',
				asks: {
					from: RICH_PAYER,
					kind: 'tokenTransfer',
					token: TOKEN_ADDRESS,
					to: MARKED_ADDRESS,
					amount: '1',
				},
				answerTo: answerAsTokenChain,
			},
			{
				about: 'a payment of each account',
				travels: 'batched',
				asks: { from: MARKED_ADDRESS, to: TOKEN_ADDRESS, amount: '1' },
				answer: '0x5208',
				others: RICH_CHAIN,
			},
		],
	},
	{
		resource: 'transaction',
		operation: 'simulate',
		parameters: ({ holder, other, token }) =>
			ofCall(holder, token.address, erc20Abi, 'transfer', [getAddress(other), 1n]),
		check: ([item], { holder, other }) => {
			assert.deepEqual([item?.success, item?.revertReason], [true, null]);
			const changes = item?.changes as ReadonlyArray<Record<string, unknown>>;
			assert.deepEqual(
				changes.map(({ account, value }) => [account, value]),
				[
					[getAddress(holder), '-1'],
					[getAddress(other), '1'],
				],
			);
		},
		alsoForSchema: ({ holder, other, token, nft }) => [
			ofCall(holder, token.address, erc20Abi, 'transfer', [getAddress(other), 10n ** 30n]),
			ofCall(holder, nft.contract, erc721Abi, 'approve', [getAddress(other), BigInt(nft.tokenId)]),
			ofCall(holder, nft.contract, erc721Abi, 'transferFrom', [
				...[getAddress(holder), getAddress(other)],
				BigInt(nft.tokenId),
			]),
		],
		shown: { given: { transaction: '{{ $json.transaction }}' } },
	},
	{
		resource: 'transaction',
		operation: 'send',
		parameters: async (scene) => ({ signedTransaction: await signTransfer(scene) }),
		check: async ([item], { chain }) => {
			const hash = item?.transactionHash;
			assert.deepEqual([item?.result, item?.wasKnown], [hash, false]);
			assert.ok(await chain('eth_getTransactionByHash', hash));
		},
		faults: [
			{
				travels: 'onceOverRpc',
				asks: { signedTransaction: MARKED_SIGNED },
				answer: HASH_OF_SENT,
			},
		],
	},
];
