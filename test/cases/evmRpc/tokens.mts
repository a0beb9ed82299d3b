import assert from 'node:assert/strict';
import { formatUnits, getAddress } from 'viem';
import type { Case } from '../case.mts';
import { ANY_LOG, MARKED_ADDRESS, SIX, ZERO_HASH } from '../marked.mts';

const NFT_TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export const tokens: readonly Case[] = [
	{
		resource: 'token',
		operation: 'get',
		parameters: ({ token }) => ({ token: token.address }),
		check: ([item], { token }) => {
			const { address, name, symbol, decimals, totalSupply } = token;
			assert.deepEqual(item, {
				token: getAddress(address),
				name,
				symbol,
				decimals,
				totalSupply: String(totalSupply),
				supply: formatUnits(totalSupply, decimals),
			});
		},
	},
	{
		resource: 'token',
		operation: 'getAllowance',
		parameters: ({ token, holder, other }) => ({
			token: token.address,
			owner: holder,
			spender: other,
		}),
		check: ([item]) => assert.deepEqual([item?.allowance, item?.amount], ['0', '0']),
		faults: [{ travels: 'batched', answer: SIX }],
	},
	{
		resource: 'token',
		operation: 'getBalance',
		parameters: ({ token, holder }) => ({ token: token.address, owner: holder }),
		check: ([item], { gifts, token }) => {
			const balance = gifts.reduce((sum, gift) => sum + gift, 0n);
			assert.equal(item?.amount, formatUnits(balance, token.decimals));
		},
	},
	{
		resource: 'token',
		operation: 'getBalances',
		parameters: ({ token, holder, nft }) => ({
			tokens: [token.address, holder, nft.contract].join(', '),
			owner: holder,
		}),
		check: ([coin, account, nfts], { gifts, token }) => {
			const balance = gifts.reduce((sum, gift) => sum + gift, 0n);
			assert.deepEqual([coin?.balance, coin?.symbol], [String(balance), token.symbol]);
			assert.deepEqual([account?.balance, account?.amount, account?.symbol], [null, null, null]);
			assert.match(String(account?.error), /^There is no token at 0x/);
			assert.deepEqual([nfts?.balance, nfts?.amount], ['1', null]);
		},
		faults: [
			{ travels: 'batched', asks: { tokens: MARKED_ADDRESS, owner: MARKED_ADDRESS }, answer: SIX },
		],
	},
	{
		resource: 'token',
		operation: 'getTransfers',
		parameters: ({ token, holder }) => ({
			tokens: token.address,
			accounts: holder,
			fromBlock: 'earliest',
		}),
		check: (items, { gifts, token }) =>
			assert.deepEqual(
				items.map(({ amount, symbol }) => [amount, symbol]),
				gifts.map((gift) => [formatUnits(gift, token.decimals), token.symbol]),
			),
	},
	{
		resource: 'nft',
		operation: 'get',
		parameters: ({ nft }) => ({ contract: nft.contract, tokenId: nft.tokenId }),
		check: ([item], { nft, holder }) => {
			const { contract, tokenId, name, symbol, metadata } = nft;
			assert.deepEqual(item, {
				contract: getAddress(contract),
				tokenId,
				standard: 'ERC-721',
				name,
				symbol,
				owner: getAddress(holder),
				tokenUri: `data:application/json,${JSON.stringify(metadata)}`,
				metadata,
				metadataError: null,
			});
		},
		alsoForSchema: ({ nft }) => [{ contract: nft.contract, tokenId: '999' }],
	},
	{
		resource: 'nft',
		operation: 'getBalance',
		parameters: ({ nft, holder }) => ({ contract: nft.contract, owner: holder }),
		check: ([item]) => assert.deepEqual([item?.standard, item?.balance], ['ERC-721', '1']),
		alsoForSchema: ({ nft, holder }) => [
			{ contract: nft.contract, owner: holder, tokenId: nft.tokenId },
		],
	},
	{
		resource: 'nft',
		operation: 'getTransfers',
		parameters: ({ nft, holder }) => ({
			contracts: nft.contract,
			accounts: holder,
			fromBlock: 'earliest',
		}),
		check: (items, { nft, holder }) =>
			assert.deepEqual(
				items.map(({ tokenId, quantity, to }) => [tokenId, quantity, to]),
				[[nft.tokenId, '1', getAddress(holder)]],
			),
		// Only ERC-1155 transfers have an operator. This wider search finds one, so the schema gets the type of the
		// field.
		alsoForSchema: () => [{ fromBlock: 'earliest' }],
		faults: [
			{
				travels: 'batched',
				asks: { contracts: MARKED_ADDRESS, fromBlock: 1, toBlock: 1, limit: 1 },
				answer: [{ ...ANY_LOG, topics: [NFT_TRANSFER, ZERO_HASH, ZERO_HASH, ZERO_HASH] }],
			},
		],
	},
];
