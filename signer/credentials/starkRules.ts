import type { INodeProperties } from 'n8n-workflow';
import { describeBudget } from './budget';

const BUDGET_DESCRIPTIONS: Readonly<Record<string, string>> = {
	dailyTransactions:
		'How many transactions a day may be signed, counted by their nonces, each of which the chain takes once. With 20 and a limit of 25 tokens, the account loses at most 20 × 25 tokens a day and the fees, whatever workflows do, on any number of workers; those not used add up. It needs First Nonce and First Day, and one chain only.',
	firstNonce:
		'The nonce with which the count of Daily Transactions begins: the one that the account has now, by Account: Get of Chain STARK. A higher one allows more.',
};

/** The rules about transactions of STARK rollups. Each is safe when it is empty; none takes an expression. */
export const starkRuleFields: INodeProperties[] = [
	{
		displayName:
			'The rules below bind each transaction, with all of its calls; Daily Transactions alone binds their sum. Keep no more in this account than may be lost. Get Rules of Chain Signer says the worst that they allow.',
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
			'The chains whose transactions may be signed, by name or as 0x-hex, comma-separated. A transaction meant for a test network is signed for no other.',
		hint: 'Empty: no transaction',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 0.5',
		description:
			'The most that one transaction may offer for all of its resources, with its tip. Tokens cannot be given away as a fee.',
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
			'The addresses that may receive tokens and NFTs, comma-separated. The own account always may. Where Spenders is empty, they may also be allowed to take tokens. Any approval may be taken back.',
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
			'The addresses that may be allowed to take tokens (approvals, operators), comma-separated. Any approval may be taken back.',
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
			'The contracts whose functions may be called, one in each line or comma-separated; * for any but the account itself. Names of functions after an address allow these alone: 0x… mint set_name. Otherwise every function may be called, whatever it moves.',
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
			'How much of a token all calls of one transaction together may transfer and approve. Each line has an address, an amount in whole tokens and the decimals (25 18), or an amount in the smallest unit. The token need not be named under Contracts. Not for NFTs.',
		hint: 'Empty: tokens need Contracts',
	},
];
