import type { Field, Params } from '../core/operation/field';
import { parseResourceMapper } from '../core/operation/resourceMapper';
import { parseJsonValue } from '../core/values/json';
import { isBlank, isRecord, parseAs, parseText } from '../core/values/parse';
import { abiParser, type Abi } from '../core/evm/abi/abi';
import { encodeFunctionData, encodeInputs, getFunction } from '../core/evm/abi/call';
import type { AbiFunction } from '../core/evm/abi/entry';

/** The editor's methods find the fields by these names. */
export const functionOrAbi = {
	displayName: 'Function',
	name: 'function',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. balanceOf(address owner) view returns (uint256)',
	description:
		'The function as Solidity declares it, with what it returns, or the JSON ABI of the contract',
	parse: abiParser('function'),
} as const satisfies Field;

export const functionName = {
	displayName: 'Function Name or ID',
	name: 'functionName',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'functions', loadOptionsDependsOn: ['function'] },
	default: '',
	description:
		'Which function to call, where the ABI holds several: its name, or its signature where two have the same name. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	options: [],
	parse: parseText,
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
} as const satisfies Field;

const argumentFields = {
	displayName: 'Arguments',
	name: 'argumentFields',
	type: 'resourceMapper',
	default: { mappingMode: 'defineBelow', value: null },
	noDataExpression: true,
	typeOptions: {
		loadOptionsDependsOn: ['function', 'functionName', 'kind'],
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
	show: { argumentsBy: ['fields'] },
	parse: parseResourceMapper,
} as const satisfies Field;

const argumentsJson = {
	displayName: 'Arguments',
	name: 'arguments',
	type: 'json',
	default: '[]',
	description:
		'The arguments as a JSON array in order, or as a JSON object by name. Write large integers as text.',
	show: { argumentsBy: ['json'] },
	parse: (given: unknown) => (isBlank(given) ? [] : parseJsonValue(given)),
} as const satisfies Field;

/** The arguments of the function in `function`. */
export const argumentInputs = [argumentsBy, argumentFields, argumentsJson] as const;

/** A function and its arguments. A node with these fields has the methods of `functionEditor`. */
export const functionFields = [functionOrAbi, functionName, ...argumentInputs] as const;

type GivenArguments = Partial<Params<typeof argumentInputs>>;

export function parseFunctionChoice(abi: Abi, name = ''): AbiFunction {
	return parseAs(functionName.displayName, name, (given) => getFunction(abi, given));
}

/** Encodes the call as 0x-hex. */
export function encodeGivenCall(called: AbiFunction, given: GivenArguments): string {
	return encodeFunctionData(called, getArgumentValues(called, given));
}

/** Encodes the arguments of the constructor, if the contract has one, as hex digits. */
export function encodeGivenConstructor(abi: Abi | undefined, given: GivenArguments): string {
	const called = abi?.constructors[0] ?? { inputs: [] };
	return encodeInputs(called.inputs, getArgumentValues(called, given));
}

type CallTarget = Pick<AbiFunction, 'inputs'>;

function getArgumentValues(called: CallTarget, given: GivenArguments): unknown {
	return given.argumentsBy === 'json'
		? given.arguments
		: pickOwnArguments(called, given.argumentFields);
}

/** The editor keeps the fields of a function that was chosen before. */
function pickOwnArguments({ inputs }: CallTarget, given: unknown): unknown {
	if (!isRecord(given)) return given ?? {};
	const own = inputs.filter(({ key }) => Object.hasOwn(given, key));
	return Object.fromEntries(own.map(({ key }) => [key, given[key]]));
}
