import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { budgetFields } from './budget';

/** The kinds of TRON transactions, in the order of the form. */
export const WITNESS_KINDS = [
	{
		name: 'Contract Call',
		value: 'contractCall',
		description: 'Call functions of contracts, such as transfers of tokens',
	},
	{
		name: 'Delegate',
		value: 'delegate',
		description:
			'Lend energy and bandwidth, which pay for transactions, to accounts that Recipients allows, and take them back',
	},
	{
		name: 'Freeze',
		value: 'freeze',
		description:
			'Freeze (lock) coins to get energy and bandwidth, which pay for transactions, and unfreeze the coins',
	},
	{
		name: 'Registration',
		value: 'registration',
		description:
			'Register the account as a witness (block producer), for which the chain takes a fee',
	},
	{ name: 'Transfer', value: 'transfer', description: 'Send coins' },
	{ name: 'Vote', value: 'vote', description: 'Vote for witnesses (block producers)' },
	{
		name: 'Withdraw',
		value: 'withdraw',
		description: 'Make rewards and unfrozen coins of the account spendable',
	},
] as const satisfies readonly INodePropertyOptions[];

/** The kinds of TRON transactions that a credential may allow. */
export type WitnessKind = (typeof WITNESS_KINDS)[number]['value'];

/** The kinds of typed data that the rules can read, in the order of the form. */
export const TYPED_DATA_KINDS = [
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
		description:
			'Pay tokens by a signature, which anybody can send to the chain for the receiver (EIP-3009)',
	},
] as const satisfies readonly INodePropertyOptions[];

/** The kinds of typed data that a credential may allow. */
export type TypedDataKind = (typeof TYPED_DATA_KINDS)[number]['value'];

/**
 * The rules about EVM transactions. Both credentials have these fields, so that no workflow can change them. Each is
 * safe when it is empty. Expressions are not offered: they could read values of a workflow.
 */
export const evmRuleFields: INodeProperties[] = [
	{
		displayName:
			'Each rule binds one transaction; only Daily Transactions and Daily Authorizations bind sums. Keep no more in this account than may be lost. Get Rules of Chain Signer says the worst case.',
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
		description: 'The IDs of the EVM chains whose transactions may be signed, comma-separated',
		hint: 'If Chain IDs is empty, no EVM transaction is signed',
	},
	{
		displayName: 'Max Amount',
		name: 'maxAmount',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 0.1',
		description:
			'The most coins that one EVM transaction may send. A mistake or an attack cannot empty the account at once.',
		hint: 'In coins per transaction, such as 0.1. If Max Amount is empty, no coins may be sent.',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0.01',
		placeholder: 'e.g. 0.01',
		description:
			'The highest fee that one EVM transaction may offer for its gas. A mistake or an attack cannot spend more on the fee of one transaction.',
		hint: 'In coins per transaction, such as 0.01. If Max Fee is empty, transactions with a fee are refused.',
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
			'The addresses that may receive coins and tokens, comma-separated: 0x… on EVM chains, T… or 41… on TRON',
		hint: 'If Recipients is empty, every address may receive coins and tokens',
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
			'The addresses that may get rights to move your tokens (approvals, operator rights, permits), comma-separated. Taking an approval back is always allowed.',
		hint: 'If Spenders is empty, the rule Recipients decides who may get rights to move tokens',
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
			'The contracts that may be called, one per line: the address, then the allowed functions. An address without functions allows all functions of the contract. * in place of an address allows all other contracts, except the account that signs.',
		hint: 'If Contracts is empty, only tokens in Token Limits may be called',
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
			'One token per line (no NFT): its address, the highest amount per transaction, and its decimals. For example, 0x… 25 6 allows 25 tokens of a token with 6 decimals. Without decimals, the amount is in the smallest unit: 0x… 25000000.',
		hint: 'A token that is not in Token Limits may be called only if Contracts allows it',
	},
	{
		displayName: 'Allow Deployments',
		name: 'allowDeployments',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether contracts may be deployed (created). A deployment costs gas. It can also send coins, up to Max Amount, to code of somebody else.',
	},
];

/** The rules about signatures for EVM chains other than transactions, such as signed messages. */
export const otherSignatureFields: INodeProperties[] = [
	{
		displayName: 'Allow Messages',
		name: 'allowMessages',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether messages may be signed (EIP-191), such as log-ins as this account. No other rule checks a message.',
	},
	{
		displayName: 'Allow Typed Data',
		name: 'allowTypedData',
		type: 'boolean',
		noDataExpression: true,
		default: false,
		description:
			'Whether any typed data (EIP-712) may be signed. It can move tokens, and no other rule checks it.',
	},
	{
		displayName: 'Typed Data Kinds',
		name: 'typedDataKinds',
		type: 'multiOptions',
		noDataExpression: true,
		options: [...TYPED_DATA_KINDS],
		default: [],
		description:
			'The kinds of typed data that may be signed within the rules above. Each signature alone can move as much as Token Limits allows.',
		hint: 'If Typed Data Kinds is empty, typed data is signed only if Allow Typed Data is switched on',
	},
	{
		displayName: 'Daily Authorizations',
		name: 'dailyAuthorizations',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 20',
		description:
			'How many token payments by signature (EIP-3009) can be made per token, chain and day (UTC). While this limit is set, typed data (messages with named fields) of all other kinds is refused.',
		hint: 'While Daily Authorizations is empty, typed data is refused if Daily Transactions is set, else it has no daily limit',
	},
];

/** The rules for TRON transactions only. The rules that list addresses are not among them, because they apply to EVM chains, too. */
export const witnessRuleFields: INodeProperties[] = [
	{
		displayName: 'Witness Kinds',
		name: 'witnessKinds',
		type: 'multiOptions',
		noDataExpression: true,
		options: [...WITNESS_KINDS],
		default: [],
		description: 'The kinds of TRON transactions that may be signed. All others are refused.',
		hint: 'If no kind of transaction is chosen in Witness Kinds, no TRON transaction is signed',
	},
	{
		displayName: 'Witness Max Amount',
		name: 'witnessMaxAmount',
		type: 'string',
		noDataExpression: true,
		default: '0',
		placeholder: 'e.g. 100',
		description:
			'The most coins that one TRON transaction may send. A mistake or an attack cannot empty the account at once.',
		hint: 'In coins per transaction, such as 100. If Witness Max Amount is empty, no coins may be sent.',
	},
	{
		displayName: 'Witness Max Fee',
		name: 'witnessMaxFee',
		type: 'string',
		noDataExpression: true,
		default: '100',
		placeholder: 'e.g. 100',
		description:
			'The highest fee that one TRON transaction may burn: for the energy of contract calls, and for bytes beyond the first 2,000',
		hint: 'In coins per transaction, such as 100. An empty Witness Max Fee means 0: contract calls that may cost a fee are refused.',
	},
	{
		displayName: 'Witness Max Expiry',
		name: 'witnessMaxExpiry',
		type: 'string',
		noDataExpression: true,
		default: '60',
		placeholder: 'e.g. 60',
		description:
			"For how many minutes from now, by n8n's own clock, a TRON transaction may be valid",
		hint: 'In minutes. If Witness Max Expiry is empty, a TRON transaction may be valid for 60 minutes.',
	},
];
