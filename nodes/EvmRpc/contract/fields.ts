import { argumentInputs, functionNames, listedFunctionField } from '../../fields/functionFields';
import { parseFileGateway } from '../../core/ipfs/address';
import type { Field } from '../../core/operation/field';
import { showWhile } from '../../core/operation/sharedFields';
import { parseHexBytes } from '../../core/values/hex';
import { parseEvmAddress } from '../../core/evm/address';
import { optionalParser, parseQuantity } from '../../core/values/numbers';
import { parseWeiQuantity } from '../../core/values/units';

export const to = {
	displayName: 'Contract',
	name: 'to',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The called contract, or the account that receives a simulated transfer',
	parse: parseEvmAddress,
} as const satisfies Field;

export const callBy = {
	displayName: 'Call By',
	name: 'callBy',
	type: 'options',
	default: 'function',
	noDataExpression: true,
	description: 'Whether to enter a function with its arguments, or the call as encoded data',
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
	description: 'The encoded call as 0x-hex; empty for a transfer of coins',
	show: { callBy: ['data'] },
	parse: optionalParser(parseHexBytes),
} as const satisfies Field;

/** The fields for the contract, its function and the arguments. */
export const callFields = [
	to,
	callBy,
	data,
	...showWhile({ callBy: ['function'] }, [
		listedFunctionField('e.g. balanceOf(address owner) view returns (uint256)'),
		...functionNames,
		...argumentInputs,
	] as const),
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
			parse: optionalParser(parseEvmAddress),
		},
		{
			displayName: 'Gas',
			name: 'gas',
			type: 'string',
			default: '',
			placeholder: 'e.g. 100000',
			description: 'The highest amount of gas that the call may use, decimal or 0x-hex',
			parse: optionalParser(parseQuantity),
		},
		{
			displayName: 'Gas Price',
			name: 'gasPrice',
			type: 'string',
			default: '',
			placeholder: 'e.g. 20 gwei',
			description: 'The price per gas, in wei or with a unit such as gwei',
			parse: optionalParser(parseWeiQuantity),
		},
		{
			displayName: 'Value',
			name: 'value',
			type: 'string',
			default: '',
			placeholder: 'e.g. 0.1 ether',
			description: 'The coins that are sent with the call, in wei or with a unit such as ether',
			parse: optionalParser(parseWeiQuantity),
		},
	],
} as const satisfies Field;

/** The IPFS gateway from which the metadata of contracts is downloaded. */
export const gateway = {
	displayName: 'Gateway',
	name: 'gateway',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://ipfs.example.com/ipfs/',
	description:
		"The IPFS gateway for loading the contract's description, in which the developers name its functions. The gateway gets no credential. Without a gateway, only functions of standards such as ERC-20 have names.",
	parse: optionalParser(parseFileGateway),
} as const satisfies Field;

/** Only n8n's editor uses this gateway, to list the functions of a contract. A running workflow downloads nothing. */
export const editorGateway = {
	...gateway,
	description:
		"The IPFS gateway that gives the names of the contract's functions for the list in Function. The gateway gets no credential.",
} as const satisfies Field;
