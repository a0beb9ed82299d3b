import type { Field } from '../core/operation/field';
import { InvalidInput } from '../core/errors/invalidInput';
import { optionalParser } from '../core/values/numbers';
import { parseText, parseField } from '../core/values/parse';
import { abiParser, type Abi } from '../core/evm/abi/abi';
import { encodeFunctionData, encodeInputs, getFunction } from '../core/evm/abi/call';
import type { AbiFunction } from '../core/evm/abi/entry';
import { buildArgumentInputs, getArgumentValues, type GivenArguments } from './argumentFields';

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
		'The function as Solidity declares it, with its outputs, or the JSON ABI of the contract',
	parse: abiParser('function'),
} as const satisfies Field;

export const functionName = {
	displayName: 'Function Name or ID',
	name: 'functionName',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'functions', loadOptionsDependsOn: ['function'] },
	default: '',
	description:
		'Which function of the ABI to call. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	options: [],
	parse: parseText,
} as const satisfies Field;

/** A function of which `functionName` may be a whole declaration, as the editor puts it there. */
export const optionalFunction = {
	...functionOrAbi,
	required: false,
	hint: 'Leave empty to choose it from the list below',
	parse: optionalParser(functionOrAbi.parse),
} as const satisfies Field;

/** The choice among the functions of `function`, or among those on the chain where that is empty. */
export const declaredFunctionName = {
	...functionName,
	typeOptions: {
		loadOptionsMethod: 'functions',
		loadOptionsDependsOn: ['function', 'to', 'path', 'options.gateway'],
	},
	description:
		'Which function to call; without an ABI, as Solidity declares it. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
} as const satisfies Field;

/** The arguments of the function in `function`. */
export const argumentInputs = buildArgumentInputs('function', 'functionName', 'kind');

/** A function and its arguments. A node with these fields has the methods of `functionEditor`. */
export const functionFields = [functionOrAbi, functionName, ...argumentInputs] as const;

/** The ABI, or what the choice declares where there is none. */
export function parseGivenAbi(abi: Abi | undefined, name: string): Abi {
	if (abi) return abi;
	if (name !== '') return parseField(functionName.displayName, name, functionOrAbi.parse);
	throw new InvalidInput(
		`'${functionOrAbi.displayName}' is required`,
		'Enter a value, or choose one of the functions on the chain.',
	);
}

/** The function of `parseGivenAbi`: where the choice declares it, it is the only one. */
export function parseGivenFunction(abi: Abi | undefined, name: string): AbiFunction {
	return abi ? parseFunctionChoice(abi, name) : parseFunctionChoice(parseGivenAbi(abi, name));
}

export function parseFunctionChoice(abi: Abi, name = ''): AbiFunction {
	return parseField(functionName.displayName, name, (given) => getFunction(abi, given));
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
