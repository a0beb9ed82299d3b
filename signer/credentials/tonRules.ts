import type { INodeProperties } from 'n8n-workflow';
import { describeBudget } from './budget';

const BUDGET_DESCRIPTIONS: Readonly<Record<string, string>> = {
	dailyTransactions:
		'How many transfers a day may be signed, counted by their seqnos, each of which a wallet takes once. With 20, a Max Amount of 0.5 and a Max Fee of 0.05, the wallet loses at most 20 × (0.5 + 0.05) coins a day, whatever workflows do, on any number of workers; those not used add up. It needs First Nonce and First Day. Keep coins in no other wallet of the key.',
	firstNonce:
		'The seqno with which the count of Daily Transactions begins: the one that the wallet has now, by Account: Get of Chain TON. Lower ones are not signed: another wallet of the key could take them.',
};

/** The rules about transfers on the TON chain. Each is safe when it is empty; none takes an expression. */
export const tonRuleFields: INodeProperties[] = [
	{
		displayName:
			'The rules below bind each transfer; Daily Transactions alone binds their sum. Keep no more in this wallet than may be lost. Get Rules of Chain Signer says the worst that they allow.',
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
			'The kind of the one wallet that is signed for, with the usual wallet ID. A key has one wallet of each kind. Account: Get of Chain TON gives the kind of an address as walletType.',
		hint: 'Keep coins in this one alone: some other wallets of the key take the same signatures',
	},
	{
		displayName: 'Max Amount',
		name: 'maxAmount',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 0.5',
		description:
			'The most that one transfer may send, with all of its messages and the coins along with jettons. The word unlimited allows any amount, and to send all that the wallet has.',
		hint: 'In whole coins. Empty: 0.',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0.05',
		placeholder: 'e.g. 0.05',
		description:
			'The most that the chain may charge for one transfer, computed from its bytes, with the rent of the wallet for up to 30 days. A transfer of up to four messages takes less than 0.02; to the masterchain, some 0.02 more for each message.',
		hint: 'In whole coins. Empty: 0, with which nothing is signed.',
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
			'The addresses that may receive coins, jettons and NFTs, and the coins that are left over from these, comma-separated. The own wallet always may.',
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
			'The addresses that may be deployed, or get a body other than a comment, such as NFTs that are to be transferred, comma-separated; * for any. An unknown body can move what the other rules protect. Transfers within Jetton Limits do not need it.',
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
			"How many jettons one transfer may send. Each line has one of the wallet's own jetton wallets (Get Balance of Chain TON gives it as wallet), an amount in whole jettons and the decimals (25 6), or an amount in the smallest unit (25000000). It need not be named under Contracts.",
		hint: 'Empty: jettons need Contracts',
	},
];
