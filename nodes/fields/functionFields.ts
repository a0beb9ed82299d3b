import type { Field } from '../core/operation/field';
import { InvalidInput } from '../core/errors/invalidInput';
import { listOrHand } from '../core/operation/locator';
import { optionalParser } from '../core/values/numbers';
import { parseText, parseField } from '../core/values/parse';
import { abiParser, type Abi } from '../core/evm/abi/abi';
import { encodeFunctionData, encodeInputs, getFunction } from '../core/evm/abi/call';
import type { AbiFunction } from '../core/evm/abi/entry';
import { buildArgumentInputs, getArgumentValues, type GivenArguments } from './argumentFields';

/** The name `function` must stay, because the methods of n8n's editor read the field by it. */
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

/**
 * A text that contains any of these strings may be a JSON ABI or several declarations, so the menu of functions is
 * shown.
 */
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
 * Keeps a stored choice while the menu is hidden. n8n would drop the choice, and another function would be called.
 */
const keptFunctionChoice = {
	...functionChoice,
	type: 'hidden',
	draw: undefined,
	hide: MAY_DECLARE_MORE,
} as const satisfies Field;

/** The menu that selects a function if the text declares several. */
export const functionNames = [functionChoice, keptFunctionChoice] as const;

/** Makes the field for a function, which is chosen from a list of the contract's functions or declared. */
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
		description:
			'The function to call: from the list, or entered as a Solidity declaration or a JSON ABI',
		parse: optionalParser(functionOrAbi.parse),
	} as const satisfies Field;
}

/** The arguments of the function in the field `function`. */
export const argumentInputs = buildArgumentInputs(
	'function',
	'function.value',
	'functionName',
	'kind',
);

/** A function and its arguments. A node with these fields needs the editor methods in `functionEditor`. */
export const functionFields = [functionOrAbi, ...functionNames, ...argumentInputs] as const;

/** Gives the ABI, or else the function that the choice itself declares. */
export function parseGivenAbi(abi: Abi | undefined, name: string): Abi {
	if (abi) return abi;
	if (name !== '') return parseField(functionChoice.displayName, name, functionOrAbi.parse);
	throw new InvalidInput(
		`'${functionOrAbi.displayName}' is required`,
		'Choose one of the functions of the contract, or declare one.',
	);
}

/** Finds the chosen function in the ABI. Without an ABI, the choice itself must declare the function. */
export function parseGivenFunction(abi: Abi | undefined, name: string): AbiFunction {
	return abi ? parseFunctionChoice(abi, name) : parseFunctionChoice(parseGivenAbi(abi, name));
}

export function parseFunctionChoice(abi: Abi, name = ''): AbiFunction {
	return parseField(functionChoice.displayName, name, (given) => getFunction(abi, given));
}

/** Encodes a call of the function as 0x-hex. */
export function encodeGivenCall(called: AbiFunction, given: GivenArguments): string {
	return encodeFunctionData(called, getArgumentValues(called, given));
}

/** Encodes the arguments of the constructor, if the contract has one, as hex digits. */
export function encodeGivenConstructor(abi: Abi | undefined, given: GivenArguments): string {
	const called = abi?.constructors[0] ?? { inputs: [] };
	return encodeInputs(called.inputs, getArgumentValues(called, given));
}
