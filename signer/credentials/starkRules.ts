import type { INodeProperties } from 'n8n-workflow';
import { describeBudget } from './budget';

const BUDGET_DESCRIPTIONS: Readonly<Record<string, string>> = {
	dailyTransactions:
		'How many transactions of the one chain may be signed per day, counted by nonce; unused ones add up',
	firstNonce:
		'The nonce that the account has now, by Account: Get of Chain STARK. A higher one allows more.',
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
		hint: 'Empty: no transaction',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 0.5',
		description: 'The most that one transaction may offer for all of its resources, with its tip',
		hint: 'In whole STRK. Empty: 0, with which no chain takes a transaction.',
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
			'The addresses that may receive tokens and NFTs, comma-separated. The own account always may.',
		hint: 'Empty: every address',
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
			'The addresses that may get approvals and operator rights, comma-separated. Any approval may be taken back.',
		hint: 'Empty: the Recipients',
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
			'One contract per line that may be called, with all functions or only those named after it (0x… mint); * for any but the account',
		hint: 'Empty: none',
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
			'One token per line (no NFT) and the most of it per transaction: whole tokens and decimals (25 18), or the smallest unit',
		hint: 'Empty: tokens need Contracts',
	},
];
