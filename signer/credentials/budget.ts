import type { INodeProperties } from 'n8n-workflow';

/** The budget of nonces in the words of a chain; what is not described keeps its words. */
export function describeBudget(descriptions: Readonly<Record<string, string>>): INodeProperties[] {
	return budgetFields.map((field) => ({
		...field,
		description: descriptions[field.name] ?? field.description,
	}));
}

/** The budget of nonces, the same in every credential whose chain takes each nonce once. */
export const budgetFields: INodeProperties[] = [
	{
		displayName: 'Daily Transactions',
		name: 'dailyTransactions',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 20',
		description:
			'How many transactions a day may be signed, counted by their nonces. With 20, a Max Amount of 0.1 and a Max Fee of 0.01, at most 20 × (0.1 + 0.01) coins a day can be lost, whatever workflows do. Unused ones add up. It needs First Nonce, First Day, and one chain only. What takes no nonce is not signed then.',
		hint: 'Empty: no bound',
	},
	{
		displayName: 'First Nonce',
		name: 'firstNonce',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0',
		description:
			'The nonce with which the count of Daily Transactions begins: how many transactions the account has sent so far, by Account: Get Transaction Count of Chain EVM RPC. A higher one allows more.',
		hint: 'Needed with Daily Transactions: that of the next transaction',
	},
	{
		displayName: 'First Day',
		name: 'firstDay',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 2026-11-24',
		description:
			"The day (UTC, by n8n's own clock) on which the count of Daily Transactions begins: today. An earlier day allows more.",
		hint: 'Needed with Daily Transactions: the date of today, UTC',
	},
];
