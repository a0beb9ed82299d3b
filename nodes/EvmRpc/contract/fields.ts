import { abiWith } from '../../core/abi/abi';
import type { Field } from '../../core/operation/field';
import { isBlank, text } from '../../core/values/read';
import { bytes, evmAddress } from '../../core/values/hex';
import { json } from '../../core/values/json';
import { optional, quantity, weiQuantity } from '../../core/values/numbers';

const byFunction = { callBy: ['function'] } as const;

export const to = {
	displayName: 'To',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The address of the contract, or of the account that a simulated transfer goes to',
	read: evmAddress,
} as const satisfies Field;

export const callBy = {
	displayName: 'Call By',
	name: 'callBy',
	type: 'options',
	default: 'function',
	noDataExpression: true,
	description: 'How to specify the call',
	options: [
		{ name: 'Data', value: 'data', description: 'The encoded call as 0x-hex' },
		{ name: 'Function', value: 'function', description: 'A function and its arguments' },
	],
} as const satisfies Field;

export const data = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x18160ddd',
	description:
		'The method selector and the encoded arguments as 0x-hex; empty for a plain transfer',
	show: { callBy: ['data'] },
	read: optional(bytes),
} as const satisfies Field;

/** The name that editor methods and the descriptions of other fields know it by. */
const contractFunction = {
	displayName: 'Function',
	name: 'function',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. balanceOf(address owner) view returns (uint256)',
	description:
		'The function as Solidity declares it, with what it returns, or the JSON ABI of the contract',
	show: byFunction,
	read: abiWith('function'),
} as const satisfies Field;

const functionName = {
	displayName: 'Function Name or ID',
	name: 'functionName',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'functions', loadOptionsDependsOn: ['function'] },
	default: '',
	description:
		'Which function to call, where the ABI holds several: its name, or its signature where two have the same name. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	options: [],
	show: byFunction,
	read: text,
} as const satisfies Field;

const argumentsBy = {
	displayName: 'Arguments By',
	name: 'argumentsBy',
	type: 'options',
	default: 'fields',
	noDataExpression: true,
	description: 'How to give the arguments of the function',
	options: [
		{ name: 'Fields', value: 'fields', description: 'A field for each argument' },
		{ name: 'JSON', value: 'json', description: 'A list in order, or an object by name' },
	],
	show: byFunction,
} as const satisfies Field;

const argumentFields = {
	displayName: 'Arguments',
	name: 'argumentFields',
	type: 'resourceMapper',
	default: { mappingMode: 'defineBelow', value: null },
	noDataExpression: true,
	typeOptions: {
		loadOptionsDependsOn: ['function', 'functionName'],
		resourceMapper: {
			resourceMapperMethod: 'argumentFields',
			mode: 'add',
			valuesLabel: 'Arguments',
			fieldWords: { singular: 'argument', plural: 'arguments' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: false,
			noFieldsError: 'This function takes no arguments',
		},
	},
	show: { ...byFunction, argumentsBy: ['fields'] },
	read: mapped,
} as const satisfies Field;

/** A resource mapper wraps its values; an expression may give them themselves. */
function mapped(given: unknown): unknown {
	const isWrapped = typeof given === 'object' && given !== null && 'mappingMode' in given;
	return isWrapped && 'value' in given ? given.value : given;
}

const argumentsJson = {
	displayName: 'Arguments',
	name: 'arguments',
	type: 'json',
	default: '[]',
	description:
		'The arguments as a JSON array in order, or as a JSON object by name. Write large integers as text.',
	show: { ...byFunction, argumentsBy: ['json'] },
	read: (given: unknown) => (isBlank(given) ? [] : json(given)),
} as const satisfies Field;

/** What is called, and with what. */
export const callFields = [
	to,
	callBy,
	data,
	contractFunction,
	functionName,
	argumentsBy,
	argumentFields,
	argumentsJson,
] as const;

export const callOptions = {
	displayName: 'Call Options',
	name: 'callOptions',
	type: 'collection',
	placeholder: 'Add call option',
	default: {},
	options: [
		{
			displayName: 'From',
			name: 'from',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description: 'The account that the call comes from',
			read: optional(evmAddress),
		},
		{
			displayName: 'Gas',
			name: 'gas',
			type: 'string',
			default: '',
			placeholder: 'e.g. 100000',
			description: 'The most gas that the call may use, decimal or 0x-hex',
			read: optional(quantity),
		},
		{
			displayName: 'Gas Price',
			name: 'gasPrice',
			type: 'string',
			default: '',
			placeholder: 'e.g. 20 gwei',
			description: 'The price of a unit of gas, in wei or with a unit (wei, gwei, ether)',
			read: optional(weiQuantity),
		},
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0.1 ether',
			description:
				'The amount to send with the call, in wei or with a unit (wei, gwei, ether). The sender must hold this amount plus the gas.',
			read: optional(weiQuantity),
		},
	],
} as const satisfies Field;
