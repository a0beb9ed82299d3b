import type { INodeProperties } from 'n8n-workflow';
import { describeBudget } from './budget';

const BUDGET_DESCRIPTIONS: Readonly<Record<string, string>> = {
	dailyTransactions:
		'How many transfers may be signed per day. Transfers that one day leaves unused are added to later days. The limit counts one wallet, so keep no coins in other wallets of the same secret.',
	firstNonce:
		'The number (seqno) of the next transfer of the wallet, from Account: Get of Chain TON. Transfers with a lower number are not signed.',
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
		hint: 'Keep coins only in the chosen wallet. A transfer signed for it may also be valid in other wallets of the same secret.',
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
		hint: 'In coins per transfer, such as 0.5. If Max Amount is empty, no coins may be sent.',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0.05',
		placeholder: 'e.g. 0.05',
		description:
			'The highest fee that one transfer may cost. Chain Signer computes the fee of a transfer from its size: less than 0.02 coins for up to four payments.',
		hint: 'In coins per transfer, such as 0.05. If Max Fee is empty, nothing is signed.',
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
			'The addresses that may receive coins, jettons and NFTs, comma-separated, besides the wallet that signs. Coins left over from a transfer of jettons or NFTs may go to no other address.',
		hint: 'If Recipients is empty, every address may receive coins, jettons and NFTs',
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
			'The contracts that may be deployed or called, comma-separated; * means any. Coins, comments and the jettons in Jetton Limits need no entry. To transfer an NFT, list its address.',
		hint: 'If Contracts is empty, only coins, comments and the jettons in Jetton Limits may be sent',
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
			'One of your jetton wallets per line: its address (from Jetton: Get Balance of Chain TON), the highest amount per transfer, and the decimals. For example, EQ… 25 6 allows 25 jettons with 6 decimals. Without decimals, the amount is in the smallest unit.',
		hint: 'A jetton wallet that is not in Jetton Limits may be called only if Contracts allows it',
	},
];
