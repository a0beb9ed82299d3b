import type { INodeProperties } from 'n8n-workflow';

/** Returns the fields of the rule Daily Transactions. A field that `descriptions` does not name keeps its own description. */
export function describeBudget(descriptions: Readonly<Record<string, string>>): INodeProperties[] {
	return budgetFields.map((field) => ({
		...field,
		description: descriptions[field.name] ?? field.description,
	}));
}

/** The fields of the rule Daily Transactions. They are the same in each credential whose chain accepts each nonce only once. */
export const budgetFields: INodeProperties[] = [
	{
		displayName: 'Daily Transactions',
		name: 'dailyTransactions',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 20',
		description:
			'How many transactions may be signed per day. Transactions that one day leaves unused are added to later days. While this limit is set, Chain IDs may have only one chain, and messages and TRON transactions are refused.',
		hint: 'If Daily Transactions is empty, any number of transactions may be signed',
	},
	{
		displayName: 'First Nonce',
		name: 'firstNonce',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0',
		description:
			'How many transactions the account has sent so far, from Account: Get Transaction Count of Chain EVM RPC. A number that is too high lets the account send more transactions than Daily Transactions says.',
		hint: 'If Daily Transactions is set, enter in First Nonce the number (nonce) that the chain expects in the next transaction',
	},
	{
		displayName: 'First Day',
		name: 'firstDay',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 2026-11-24',
		description:
			"The day (UTC, by n8n's own clock) from which Daily Transactions counts. If First Day is in the past, the transactions of all days since then may be signed at once.",
		hint: 'If Daily Transactions is set, enter the date of today (UTC) in First Day',
	},
];
