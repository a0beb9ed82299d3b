import type { INodeProperties } from 'n8n-workflow';
import { describeBudget } from './budget';

const BUDGET_DESCRIPTIONS: Readonly<Record<string, string>> = {
	dailyTransactions:
		'How many transfers may be signed per day, counted by seqno; unused ones add up. Keep coins in no other wallet of the key.',
	firstNonce:
		'The seqno that the wallet has now, by Account: Get of Chain TON. Lower ones are not signed.',
};

/** The rules about transfers on the TON chain. Each field is safe when it is empty, and none takes an expression. */
export const tonRuleFields: INodeProperties[] = [
	{
		displayName:
			'Each rule binds one transfer; only Daily Transactions binds a sum. Keep no more in this wallet than may be lost. Get Rules of Chain Signer says the worst case.',
		name: 'rulesNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Wallet',
		name: 'walletType',
		type: 'options',
		noDataExpression: true,
		options: [
			{ name: 'V3r2', value: 'v3r2' },
			{ name: 'V4r2', value: 'v4r2' },
			{ name: 'V5r1', value: 'v5r1' },
		],
		default: 'v5r1',
		description:
			'The kind of wallet that this credential signs for. Account: Get of Chain TON shows it as walletType.',
		hint: "Keep coins in this wallet alone: some of the key's other wallets accept the same signatures",
	},
	{
		displayName: 'Max Amount',
		name: 'maxAmount',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 0.5',
		description:
			'The most coins that one transfer may send in all, including those sent along with jettons. The word unlimited allows any amount.',
		hint: 'In coins; decimals are allowed. Empty: 0.',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0.05',
		placeholder: 'e.g. 0.05',
		description:
			'The highest fee of one transfer, computed from its size. A transfer with up to four payments costs less than 0.02 coins.',
		hint: 'In coins; decimals are allowed. Empty: 0, with which nothing is signed.',
	},
	...describeBudget(BUDGET_DESCRIPTIONS),
	{
		displayName: 'Recipients',
		name: 'recipients',
		type: 'string',
		typeOptions: { rows: 2 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. UQAAwP1hj5VM0wiUgmTH9m6y61Nbfinzn-_JYrozVourIxwv',
		description:
			'The addresses that may receive coins, jettons, NFTs and what is left of coins sent for fees, comma-separated. The wallet itself always may.',
		hint: 'Empty: every address',
	},
	{
		displayName: 'Contracts',
		name: 'contracts',
		type: 'string',
		typeOptions: { rows: 2 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. EQAAwP1hj5VM0wiUgmTH9m6y61Nbfinzn-_JYrozVourI0Hq',
		description:
			'The contracts that may be deployed or get a message other than a comment, comma-separated; * means any. To transfer an NFT, list its address.',
		hint: 'Empty: none',
	},
	{
		displayName: 'Jetton Limits',
		name: 'jettonLimits',
		type: 'string',
		typeOptions: { rows: 3 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. EQAAwP1hj5VM0wiUgmTH9m6y61Nbfinzn-_JYrozVourI0Hq 25 6',
		description:
			'One of your jetton wallets per line (Get Balance of Chain TON shows it), then the most per transfer in whole jettons and the decimals (EQ… 25 6), or the most in the smallest unit',
		hint: 'Empty: jettons need Contracts',
	},
];
