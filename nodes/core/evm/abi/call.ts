import { formatExcerpt, formatNames } from '../../values/excerpt';
import { catching, parseField, InvalidValue } from '../../values/parse';
import { abiParser, type Abi } from './abi';
import { createValuesBudget } from '../../values/budget';
import { areAllNamed, buildNamedValues } from '../../values/namedValues';
import { parseArguments, decodeParameters, encodeArguments, type AbiParameter } from './composed';
import { createAbiData, DecodingError } from './data';
import type { AbiItem, AbiError, AbiFunction } from './entry';
import { raise } from '../../errors/raise';

/** Is thrown if a contract returned nothing, although the called function has outputs. */
export class NothingReturned extends DecodingError {}

/** Finds a function by name or signature; without either, the only one. */
export function getFunction(abi: Abi, wanted: unknown): AbiFunction {
	const name = typeof wanted === 'string' ? wanted.replace(/\s/g, '') : '';
	const { functions, invalidItems: unread } = abi;
	if (name === '')
		return findOnlyFunction(abi) ?? raise(new InvalidValue(formatExpectedFunction(abi)));
	const found = functions.filter((one) => one.name === name || one.signature === name);
	const [only] = found;
	if (only && found.length === 1) return only;
	if (only) throw new InvalidValue(`one of ${formatSignatures(found)}`);
	const [called] = name.split('(');
	const problem = unread.find((one) => one.kind === 'function' && one.name === called)?.problem;
	throw new InvalidValue(problem ?? choiceIn(abi), findOnlyFunction(abi) && STALE_CHOICE_ADVICE);
}

const STALE_CHOICE_ADVICE =
	'The field is hidden, but still has an earlier choice. Add a semicolon at the end of Function to see the field, then empty it.';

/**
 * Says which functions of the ABI can be chosen, for the error about a stored choice that belongs to another contract.
 */
function choiceIn(abi: Abi): string {
	const only = findOnlyFunction(abi);
	return only
		? `empty or ${only.signature}: there is no other function`
		: `one of ${formatSignatures(abi.functions)}`;
}

/** Finds the function if the ABI has exactly one. An entry that cannot be parsed counts as a second function. */
export function findOnlyFunction({
	functions,
	invalidItems: unread,
}: Abi): AbiFunction | undefined {
	const isAlone = !unread.some(({ kind, name }) => kind === 'function' && name !== '');
	return functions.length === 1 && isAlone ? functions[0] : undefined;
}

function formatExpectedFunction({ functions }: Abi): string {
	const signatures = formatSignatures(functions);
	return functions.length === 1
		? `${signatures} if that is meant, since another function beside it cannot be read`
		: `one of ${signatures}`;
}

/** The function of one signature. */
export function parseFunction(signature: string): AbiFunction {
	return getFunction(abiParser('function')(signature), '');
}

export function formatSignatures(entries: ReadonlyArray<Pick<AbiItem, 'signature'>>): string {
	return formatNames(entries.map(({ signature }) => signature));
}

export function encodeFunctionData(called: AbiFunction, given: unknown, label?: string): string {
	return called.selector + encodeInputs(called.inputs, given, label);
}

/** Encodes arguments as hex digits. Errors name the invalid argument, such as `Arguments > to`. */
export function encodeInputs(
	inputs: readonly AbiParameter[],
	given: unknown,
	label = 'Arguments',
): string {
	return parseField(label, given, (raw) => {
		const budget = createValuesBudget();
		const within = (key: string) => `${label} > ${key}`;
		return encodeArguments(parseArguments(inputs, raw, label, within, budget), budget);
	});
}

/** Returns several named outputs by their names. A single output, or a list with unnamed outputs, is returned as `result`. */
export function decodeFunctionResult(called: AbiFunction, hex: string): Record<string, unknown> {
	const { outputs } = called;
	if (outputs.length === 0) return { result: hex };
	const values = decodeOutputs(called, hex);
	if (outputs.length === 1) return { result: values[0] };
	return areAllNamed(outputs) ? buildNamedValues(outputs, values) : { result: values };
}

/** Decodes the outputs of a function to a list, in the order of the declaration. */
export function decodeOutputs(called: AbiFunction, hex: string): unknown[] {
	if (hex === '0x') {
		throw new NothingReturned(
			`The contract has no function ${called.signature}, or there is no contract at this address`,
		);
	}
	const values = catching(DecodingError, () =>
		decodeParameters(called.outputs, createAbiData(hex), 0),
	);
	if (!(values instanceof DecodingError)) return values;
	const types = called.outputs.map(({ type }) => type.name).join(', ');
	throw new DecodingError(
		`What ${called.name} returned does not fit (${types}): ${values.message}`,
	);
}

interface DecodedError {
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
	/** The error and its values, such as `TooLittle(available: 5, wanted: 10)`. Long values are shortened. */
	readonly text: string;
}

const SELECTOR_CHARS = 10;

/** Decodes the data of a reverted call; returns undefined if none of the given errors fits. */
export function decodeErrorResult(
	errors: readonly AbiError[],
	data: unknown,
): DecodedError | undefined {
	const found = catching(DecodingError, () => decodeBySelector(errors, data));
	if (!found || found instanceof DecodingError) return undefined;
	const { entry, values } = found;
	return {
		name: entry.name,
		args: buildNamedValues(entry.inputs, values),
		text: formatErrorResult(entry, values),
	};
}

/**
 * Finds the entry whose selector is at the beginning of the data, and decodes its arguments; undefined if no selector
 * fits.
 */
export function decodeBySelector<Entry extends AbiFunction | AbiError>(
	entries: readonly Entry[],
	data: unknown,
) {
	if (typeof data !== 'string') return undefined;
	const selector = data.slice(0, SELECTOR_CHARS).toLowerCase();
	const entry = entries.find((one) => one.selector === selector);
	if (!entry) return undefined;
	const bytes = `0x${data.slice(SELECTOR_CHARS)}`;
	const values = catching(DecodingError, () =>
		decodeParameters(entry.inputs, createAbiData(bytes), 0),
	);
	if (!(values instanceof DecodingError)) return { entry, values };
	throw new DecodingError(`data that fits ${entry.signature}: ${values.message}`);
}

function formatErrorResult({ name, inputs }: AbiError, values: readonly unknown[]): string {
	const args = inputs.map((input, index) => {
		const shown = formatExcerpt(values[index]);
		const value = input.type.form === 'text' ? shown : shown.replace(/^"|"$/g, '');
		return input.name === '' ? value : `${input.name}: ${value}`;
	});
	return `${name}(${args.join(', ')})`;
}
