import { createValuesBudget } from '../../values/budget';
import { findNearestNames } from '../../values/nearest';
import { areAllNamed, buildNamedValues } from '../../values/namedValues';
import { catching, parseField, InvalidValue } from '../../values/parse';
import { computeSelector } from '../selectors';
import type { DeclaredFunction, StarkAbi } from './abi';
import { formatDeclared, shortenTypeName, type CairoParameter } from './codec';
import { decodeParameters, encodeParameters } from './composed';
import { DecodingError, FeltReader, type FeltWriter } from './data';
import { raise } from '../../errors/raise';

/** A function whose types have been parsed. */
export interface StarkFunction {
	readonly name: string;
	readonly selector: bigint;
	readonly inputs: readonly CairoParameter[];
	readonly outputs: readonly CairoParameter[];
}

/** Finds a function by its name. Throws InvalidValue if there is none, or if its types cannot be parsed. */
export function getStarkFunction(abi: StarkAbi, name: string): StarkFunction {
	const declared = abi.functions.find((one) => one.name === name);
	return declared ? buildFunction(abi, declared) : raise(new InvalidValue(formatChoice(abi, name)));
}

/** Finds the function that the user has named in a field. Throws InvalidInput with the label of the field. */
export function getFunctionOfField(abi: StarkAbi, name: string, label = 'Function'): StarkFunction {
	return parseField(label, name, () => getStarkFunction(abi, name));
}

export function buildFunction(abi: StarkAbi, { name, inputs, outputs }: DeclaredFunction) {
	return {
		name,
		selector: computeSelector(name),
		inputs: abi.types.getParameters(inputs),
		outputs: abi.types.getParameters(outputs),
	};
}

function formatChoice({ functions }: StarkAbi, name: string): string {
	const names = functions.map((one) => one.name);
	return names.length === 0
		? 'a function of the contract, whose ABI has none'
		: `a function of the contract, such as ${findNearestNames(name, names).join(', ')}`;
}

/** Formats a function, as in `transfer(recipient: ContractAddress, amount: u256) -> bool`. */
export function formatSignature({ name, inputs, outputs }: DeclaredFunction): string {
	const results = outputs.map(({ type }) => shortenTypeName(type)).join(', ');
	const result = outputs.length > 1 ? `(${results})` : results;
	return `${name}(${inputs.map(formatDeclared).join(', ')})${result && ` -> ${result}`}`;
}

/** Encodes arguments as felts. InvalidInput names the argument that is wrong, as in `Arguments > to`. */
export function encodeCalldata(
	{ inputs }: Pick<StarkFunction, 'inputs'>,
	given: unknown,
	label = 'Arguments',
): bigint[] {
	return parseField(label, given, (raw) => {
		const to: FeltWriter = { felts: [], budget: createValuesBudget() };
		encodeParameters(inputs, raw, label, (key) => `${label} > ${key}`, to);
		return to.felts;
	});
}

/**
 * Decodes the result of a call. If all of several outputs have names, they are the keys. Otherwise, the key is
 * `result`.
 */
export function decodeFunctionResult(
	{ name, outputs }: StarkFunction,
	felts: readonly bigint[],
): Record<string, unknown> {
	const values = decodeOutputs({ name, outputs }, felts);
	if (outputs.length < 2) return { result: values[0] ?? null };
	return areAllNamed(outputs) ? buildNamedValues(outputs, values) : { result: values };
}

/** Decodes the outputs of a function to a list, in their order. */
export function decodeOutputs(
	{ name, outputs }: Pick<StarkFunction, 'name' | 'outputs'>,
	felts: readonly bigint[],
): readonly unknown[] {
	return decodeAll(outputs, felts, `What ${name} returned`);
}

/** Decodes the arguments of a call to an object, keyed by name. */
export function decodeCalldata(
	{ name, inputs }: StarkFunction,
	felts: readonly bigint[],
): Record<string, unknown> {
	return buildNamedValues(inputs, decodeAll(inputs, felts, `The calldata of ${name}`));
}

function decodeAll(
	parameters: readonly CairoParameter[],
	felts: readonly bigint[],
	what: string,
): unknown[] {
	const data = new FeltReader(felts);
	const values = catching(DecodingError, () => {
		const decoded = decodeParameters(parameters, data);
		data.throwUnlessAtEnd();
		return decoded;
	});
	if (!(values instanceof DecodingError)) return values;
	const types = parameters.map(({ type }) => type.name).join(', ');
	throw new DecodingError(`${what} does not fit (${types}): ${values.message}`);
}
