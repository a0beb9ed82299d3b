import type { INodeProperties } from 'n8n-workflow';
import { budgetFields } from './budget';

/** The kinds of transactions on the witness chain, in the order of the form. */
const WITNESS_KINDS = [
	{
		name: 'Contract Call',
		value: 'contractCall',
		description: 'Call functions of contracts, such as transfers of tokens',
	},
	{
		name: 'Delegate',
		value: 'delegate',
		description: 'Lend energy and bandwidth to one of the recipients, and take them back',
	},
	{ name: 'Freeze', value: 'freeze', description: 'Freeze coins for resources, and unfreeze them' },
	{
		name: 'Registration',
		value: 'registration',
		description: 'Register as a witness, for its fee',
	},
	{ name: 'Transfer', value: 'transfer', description: 'Send coins' },
	{ name: 'Vote', value: 'vote', description: 'Vote for witnesses' },
	{
		name: 'Withdraw',
		value: 'withdraw',
		description: 'Take out rewards and what is unfrozen, into the account itself',
	},
];

/** The kinds of typed data that the rules can read, in the order of the form. */
const TYPED_DATA_KINDS = [
	{
		name: 'Permit',
		value: 'permit',
		description: 'Let a spender take tokens (EIP-2612)',
	},
	{
		name: 'Permit2',
		value: 'permit2',
		description: 'Let a spender take tokens by the contract Permit2',
	},
	{
		name: 'Transfer with Authorization',
		value: 'transferWithAuthorization',
		description: 'Let anybody bring tokens to a receiver, as payments over HTTP do (EIP-3009)',
	},
];

/**
 * The rules about what may be signed. Both credentials have these fields, so that no workflow can change them. Each is
 * safe when it is empty. Expressions are not offered: they could read values of a workflow.
 */
export const ruleFields: INodeProperties[] = [
	{
		displayName:
			'The rules below bind each transaction; Daily Transactions and Daily Authorizations alone bind their sums. Keep no more in this account than may be lost. Get Rules of Chain Signer says the worst that they allow.',
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
		placeholder: 'e.g. 1, 11155111',
		description:
			'The EVM chains whose transactions may be signed, comma-separated. It prevents that a transaction meant for a test is sent where coins are worth something.',
		hint: 'Empty: no EVM transaction',
	},
	{
		displayName: 'Max Amount',
		name: 'maxAmount',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 0.1',
		description:
			'The most that one EVM transaction may send. It prevents that a mistake or an attack empties the account at once.',
		hint: 'In whole coins. Empty: 0.',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0.01',
		placeholder: 'e.g. 0.01',
		description:
			'The most that one EVM transaction may offer for its gas. It prevents that coins are given away as a fee.',
		hint: 'In whole coins. Empty: 0.',
	},
	...budgetFields,
	{
		displayName: 'Recipients',
		name: 'recipients',
		type: 'string',
		typeOptions: { rows: 2 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
		description:
			'The addresses that may receive coins and tokens, and, where Spenders is empty, be allowed to take them, comma-separated: of EVM chains (0x…) and of the witness chain (T… or 41…). It prevents that anything goes to a stranger. Taking an approval back is allowed whoever had it.',
		hint: 'Empty: every address',
	},
	{
		displayName: 'Spenders',
		name: 'spenders',
		type: 'string',
		typeOptions: { rows: 2 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
		description:
			'The addresses that may be allowed to take tokens (approvals, operators, permits), comma-separated. It prevents that a stranger is approved, and that whoever is paid may also take. Taking an approval back is allowed whoever had it.',
		hint: 'Empty: the Recipients',
	},
	{
		displayName: 'Contracts',
		name: 'contracts',
		type: 'string',
		typeOptions: { rows: 3 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed mint(address,uint256)',
		description:
			'The contracts whose functions may be called, comma-separated or one in each line; * for any but the account itself. Behind an address, in its line, signatures or selectors allow these functions alone: 0x… mint(address,uint256) 0x12345678. It prevents that an unknown function moves what the other rules protect: of a contract without functions behind it, every function may be called.',
		hint: 'Empty: none',
	},
	{
		displayName: 'Token Limits',
		name: 'tokenLimits',
		type: 'string',
		typeOptions: { rows: 3 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed 25 6',
		description:
			'How much of a token one transaction may transfer or approve, not for NFTs: one token in each line, its address and the most in whole tokens and the decimals of the token (25 6), or the most in its smallest unit (25000000). It prevents that tokens leave beyond it, and lets them leave up to it without naming the token under Contracts.',
		hint: 'Empty: tokens need Contracts',
	},
	{
		displayName: 'Allow Deployments',
		name: 'allowDeployments',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether contracts may be deployed. Off, it prevents that gas is spent on code of others, and that coins go along with it.',
	},
	{
		displayName: 'Allow Messages',
		name: 'allowMessages',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether messages may be signed (EIP-191). Off, it prevents that somebody logs in as this account. No other rule looks into a message.',
	},
	{
		displayName: 'Allow Typed Data',
		name: 'allowTypedData',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether any typed data may be signed (EIP-712). Off, it prevents permits and orders: such a signature can move tokens, and no other rule looks into it.',
	},
	{
		displayName: 'Typed Data Kinds',
		name: 'typedDataKinds',
		type: 'multiOptions',
		noDataExpression: true,
		options: TYPED_DATA_KINDS,
		default: [],
		description:
			'The kinds of typed data that are read and may be signed without Allow Typed Data: within Chain IDs, Recipients, Spenders and Token Limits, each token with a limit, valid for a day at most. Each signature moves as much again, for which no fee is paid.',
		hint: 'Empty: none',
	},
	{
		displayName: 'Daily Authorizations',
		name: 'dailyAuthorizations',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 20',
		description:
			'How many authorizations (EIP-3009), such as payments over HTTP, can be used a day (UTC) of each token on each chain. With 20 and a limit of 0.5, at most 20 × 0.5 tokens a day can be taken by signatures, whatever workflows do, on any number of workers; those not used are lost. Each gets one of 20 nonces that follow from the key, the token and the day, and a token takes each once. Other typed data is not signed then.',
		hint: 'Empty: no bound, and none beside Daily Transactions',
	},
	{
		displayName: 'Witness Kinds',
		name: 'witnessKinds',
		type: 'multiOptions',
		noDataExpression: true,
		options: WITNESS_KINDS,
		default: [],
		description:
			'The kinds of transactions of the witness chain that may be signed. It prevents all others.',
		hint: 'Empty: none',
	},
	{
		displayName: 'Witness Max Amount',
		name: 'witnessMaxAmount',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 100',
		description:
			'The most that one transaction of the witness chain may send. It prevents that a mistake or an attack empties the account at once.',
		hint: 'In whole coins. Empty: 0.',
	},
	{
		displayName: 'Witness Max Fee',
		name: 'witnessMaxFee',
		type: 'string',
		noDataExpression: true,
		default: '100',
		placeholder: 'e.g. 100',
		description:
			'The highest fee limit that a contract call of the witness chain may have. Bytes beyond 2,000 count on top. It prevents that coins are burned for energy, or for bytes.',
		hint: 'In whole coins. Empty: 0.',
	},
	{
		displayName: 'Witness Max Expiry',
		name: 'witnessMaxExpiry',
		type: 'string',
		noDataExpression: true,
		default: '60',
		placeholder: 'e.g. 60',
		description:
			"In how many minutes from now, by n8n's own clock, a transaction of the witness chain must expire at the latest. It prevents that signed transactions are kept and sent hours later.",
		hint: 'In minutes. Empty: 60.',
	},
];

/** They bind what is no EVM transaction. */
const OTHER_SIGNATURES =
	/^(allowMessages|allowTypedData|typedDataKinds|dailyAuthorizations|witness\w+)$/;

/** The rules of a signer that signs EVM transactions alone. What binds other signatures is not drawn. */
export const transactionRuleFields: INodeProperties[] = ruleFields.map((field) =>
	OTHER_SIGNATURES.test(field.name) ? { ...field, type: 'hidden' } : field,
);
