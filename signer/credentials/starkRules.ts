import type { INodeProperties } from 'n8n-workflow';
import { describeBudget } from './budget';

const BUDGET_DESCRIPTIONS: Readonly<Record<string, string>> = {
	dailyTransactions:
		'How many transactions may be signed per day. Transactions that one day leaves unused are added to later days. While this limit is set, Chain IDs may have only one chain.',
	firstNonce:
		'How many transactions the account has sent so far (its nonce), from Account: Get of Chain STARK. A number that is too high allows more transactions than Daily Transactions says.',
};

/** The rules about transactions of STARK rollups. Each field is safe when it is empty, and none takes an expression. */
export const starkRuleFields: INodeProperties[] = [
	{
		displayName:
			'Each rule binds one transaction with all of its calls; only Daily Transactions binds a sum. Keep no more in this account than may be lost. Get Rules of Chain Signer says the worst case.',
		name: 'rulesNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Chain IDs',
		name: 'chainIds',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. SN_MAIN',
		description:
			'The chains whose transactions may be signed, by name or as 0x-hex, comma-separated',
		hint: 'For the main network of Starknet, enter SN_MAIN. If Chain IDs is empty, no transaction is signed.',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 0.5',
		description:
			'The highest fee that one transaction may offer, for all kinds of gas and with the tip',
		hint: 'In STRK per transaction, such as 0.5. Enter a fee above 0: with 0 or an empty field, no chain takes the transaction.',
	},
	...describeBudget(BUDGET_DESCRIPTIONS),
	{
		displayName: 'Recipients',
		name: 'recipients',
		type: 'string',
		typeOptions: { rows: 2 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0x0213c67ed78bc280887234fe5ed5e77272465317978ae86c25a71531d9332a2d',
		description:
			'The addresses that may receive tokens and NFTs, comma-separated. The account that signs may always receive them.',
		hint: 'If Recipients is empty, every address may receive tokens and NFTs',
	},
	{
		displayName: 'Spenders',
		name: 'spenders',
		type: 'string',
		typeOptions: { rows: 2 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0x0213c67ed78bc280887234fe5ed5e77272465317978ae86c25a71531d9332a2d',
		description:
			'The addresses that may get rights to move your tokens (approvals, operator rights), comma-separated. Taking an approval back is always allowed.',
		hint: 'If Spenders is empty, the rule Recipients decides who may get rights to move tokens',
	},
	{
		displayName: 'Contracts',
		name: 'contracts',
		type: 'string',
		typeOptions: { rows: 3 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0x0213c67ed78bc280887234fe5ed5e77272465317978ae86c25a71531d9332a2d mint',
		description:
			'The contracts that may be called, one per line: the address, then the allowed functions, such as 0x… mint. An address without functions allows all functions of the contract. * in place of an address allows all other contracts, except the account that signs.',
		hint: 'If Contracts is empty, only tokens in Token Limits may be called',
	},
	{
		displayName: 'Token Limits',
		name: 'tokenLimits',
		type: 'string',
		typeOptions: { rows: 3 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0x04718f5a0fc34cc1af16a1cdee98ffb20c31f5cd61d6ab07201858f4287c938d 25 18',
		description:
			'One token per line (no NFT): its address, the highest amount per transaction, and its decimals. For example, 0x… 25 18 allows 25 tokens of a token with 18 decimals. Without decimals, the amount is in the smallest unit.',
		hint: 'A token that is not in Token Limits may be called only if Contracts allows it',
	},
];
