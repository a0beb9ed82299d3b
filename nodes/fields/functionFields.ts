import type { Field } from '../core/operation/field';
import { InvalidInput } from '../core/errors/invalidInput';
import { listOrHand } from '../core/operation/locator';
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

/** A text with one of these may declare several functions, as a JSON ABI or one after another. */
const MAY_DECLARE_MORE = {
	function: ['"', ';', '\n', ' function '].map((mark) => ({ _cnd: { includes: mark } })),
};

const functionChoice = {
	displayName: 'Function Name or ID',
	name: 'functionName',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'functions', loadOptionsDependsOn: ['function'] },
	default: '',
	description:
		'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
	options: [],
	draw: MAY_DECLARE_MORE,
	parse: parseText,
} as const satisfies Field;

/**
 * If this field is hidden, a stored choice is carried out or refused: n8n would drop it, and another function would be
 * called.
 */
const keptFunctionChoice = {
	...functionChoice,
	type: 'hidden',
	draw: undefined,
	hide: MAY_DECLARE_MORE,
} as const satisfies Field;

/** Selects the function if several are declared. */
export const functionNames = [functionChoice, keptFunctionChoice] as const;

/** A function that is chosen among those of the contract, or declared. */
export function listedFunctionField(placeholder: string) {
	return {
		...functionOrAbi,
		type: 'resourceLocator',
		required: false,
		default: { mode: 'list', value: '' },
		placeholder,
		modes: listOrHand('functions', {
			displayName: 'By Hand',
			name: 'hand',
			placeholder,
		}),
		description: 'The function: from the list, in Solidity, or as a JSON ABI',
		parse: optionalParser(functionOrAbi.parse),
	} as const satisfies Field;
}

/** The arguments of the function in `function`. */
export const argumentInputs = buildArgumentInputs(
	'function',
	'function.value',
	'functionName',
	'kind',
);

/** A function and its arguments. A node with these fields has the methods of `functionEditor`. */
export const functionFields = [functionOrAbi, ...functionNames, ...argumentInputs] as const;

/** The ABI; if there is none, the declaration in the choice. */
export function parseGivenAbi(abi: Abi | undefined, name: string): Abi {
	if (abi) return abi;
	if (name !== '') return parseField(functionChoice.displayName, name, functionOrAbi.parse);
	throw new InvalidInput(
		`'${functionOrAbi.displayName}' is required`,
		'Choose one of the functions of the contract, or declare one.',
	);
}

/** The function of `parseGivenAbi`. If the choice contains a declaration, it is the only function. */
export function parseGivenFunction(abi: Abi | undefined, name: string): AbiFunction {
	return abi ? parseFunctionChoice(abi, name) : parseFunctionChoice(parseGivenAbi(abi, name));
}

export function parseFunctionChoice(abi: Abi, name = ''): AbiFunction {
	return parseField(functionChoice.displayName, name, (given) => getFunction(abi, given));
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
