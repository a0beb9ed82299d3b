import type { INodeProperties } from 'n8n-workflow';
import { describeBudget } from './budget';

const BUDGET_DESCRIPTIONS: Readonly<Record<string, string>> = {
	dailyTransactions:
		'How many transactions a day may be signed, counted by their nonces, each of which the chain takes once. With 20 and a limit of 25 tokens, the account loses at most 20 × 25 tokens a day and the fees, whatever workflows do, on any number of workers; those not used add up. It needs First Nonce and First Day, and one chain only.',
};

/** The rules about transactions of STARK rollups. Each is safe when it is empty; none takes an expression. */
export const starkRuleFields: INodeProperties[] = [
	{
		displayName:
			'The rules below bind each transaction, with all of its calls; Daily Transactions alone binds their sum. Keep no more in this account than may be lost. Chain Signer: Account: Get says the address, and the worst that these rules allow.',
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
			'The chains whose transactions may be signed, by name or as 0x-hex, comma-separated. It prevents that a transaction meant for a test is sent where tokens are worth something.',
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
			'The most that one transaction may offer for all of its resources, with its tip. It prevents that tokens are given away as a fee.',
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
			'The addresses that may receive tokens and NFTs, and, where Spenders is empty, be allowed to take them, comma-separated. It prevents that anything goes to a stranger. The own account may always receive, and taking an approval back is allowed whoever had it.',
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
			'The addresses that may be allowed to take tokens (approvals, operators), comma-separated. It prevents that a stranger is approved, and that whoever is paid may also take. Taking an approval back is allowed whoever had it.',
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
			'The contracts whose functions may be called, comma-separated or one in each line; * for any but the account itself. Behind an address, in its line, names of functions allow these alone: 0x… mint set_name. It prevents that an unknown function moves what the other rules protect: of a contract without functions behind it, every function may be called.',
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
			'How much of a token one transaction may transfer and approve, with all of its calls together, not for NFTs: one token in each line, its address and the most in whole tokens and the decimals of the token (25 18), or the most in its smallest unit. It prevents that tokens leave beyond it, and lets them leave up to it without naming the token under Contracts.',
		hint: 'Empty: tokens need Contracts',
	},
];
