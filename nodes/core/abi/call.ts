import { excerpt, someOf } from '../values/excerpt';
import { attempt, mustBe, readAs } from '../values/read';
import { abiWith, type Abi } from './abi';
import { valuesBudget } from './budget';
import {
	areNamed,
	argumentsOf,
	byKey,
	decodeParameters,
	encodeArguments,
	type Parameter,
} from './composed';
import { chainData, DecodingError } from './data';
import type { AbiEntry, AbiError, AbiFunction } from './entry';

/** A contract returned nothing for a function with outputs. */
export class NothingReturned extends DecodingError {}

/** By name or signature; without either, the only function. */
export function functionOf(abi: Abi, wanted: unknown): AbiFunction {
	const name = typeof wanted === 'string' ? wanted.replace(/\s/g, '') : '';
	const { functions, unread } = abi;
	if (name === '') return onlyFunction(abi) ?? mustBe(oneOfSeveral(abi));
	const found = functions.filter((one) => one.name === name || one.signature === name);
	const [only] = found;
	if (only && found.length === 1) return only;
	if (only) return mustBe(`one of ${signaturesOf(found)}`);
	const [called] = name.split('(');
	const problem = unread.find((one) => one.kind === 'function' && one.name === called)?.problem;
	return mustBe(problem ?? choiceIn(abi));
}

/** One that was chosen of another contract's functions is refused: nobody may have seen that it is still there. */
function choiceIn(abi: Abi): string {
	const only = onlyFunction(abi);
	return only
		? `empty or ${only.signature}: there is no other function`
		: `one of ${signaturesOf(abi.functions)}`;
}

/** Undefined where there is none, or a choice: one that cannot be read may be meant as well. */
export function onlyFunction({ functions, unread }: Abi): AbiFunction | undefined {
	const isAlone = !unread.some(({ kind, name }) => kind === 'function' && name !== '');
	return functions.length === 1 && isAlone ? functions[0] : undefined;
}

function oneOfSeveral({ functions }: Abi): string {
	const signatures = signaturesOf(functions);
	return functions.length === 1
		? `${signatures} if that is meant, since another function beside it cannot be read`
		: `one of ${signatures}`;
}

/** The function of one signature. */
export function functionIn(signature: string): AbiFunction {
	return functionOf(abiWith('function')(signature), '');
}

export function signaturesOf(entries: ReadonlyArray<Pick<AbiEntry, 'signature'>>): string {
	return someOf(entries.map(({ signature }) => signature));
}

export function encodeCall(called: AbiFunction, given: unknown, label?: string): string {
	return called.selector + encodeInputs(called.inputs, given, label);
}

/** As hex digits. InvalidInput names the argument: `Arguments > to`. */
export function encodeInputs(
	inputs: readonly Parameter[],
	given: unknown,
	label = 'Arguments',
): string {
	return readAs(label, given, (raw) => {
		const budget = valuesBudget();
		const within = (key: string) => `${label} > ${key}`;
		return encodeArguments(argumentsOf(inputs, raw, label, within, budget), budget);
	});
}

/** Named outputs by name; else `result`. */
export function decodeResult(called: AbiFunction, hex: string): Record<string, unknown> {
	const { outputs } = called;
	if (outputs.length === 0) return { result: hex };
	const values = returned(called, hex);
	if (outputs.length === 1) return { result: values[0] };
	return areNamed(outputs) ? byKey(outputs, values) : { result: values };
}

function returned(called: AbiFunction, hex: string): unknown[] {
	if (hex === '0x') {
		throw new NothingReturned(
			`The contract has no function ${called.signature}, or there is no contract at this address`,
		);
	}
	const values = attempt(DecodingError, () => decodeParameters(called.outputs, chainData(hex), 0));
	if (!(values instanceof DecodingError)) return values;
	const types = called.outputs.map(({ type }) => type.name).join(', ');
	throw new DecodingError(
		`What ${called.name} returned does not fit (${types}): ${values.message}`,
	);
}

interface DecodedError {
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
	/** `TooLittle(available: 5, wanted: 10)`, long values cut. */
	readonly text: string;
}

const SELECTOR = 10;

/** Undefined if the revert data is none of these errors. */
export function decodeError(errors: readonly AbiError[], data: unknown): DecodedError | undefined {
	const found = attempt(DecodingError, () => decodeSelected(errors, data));
	if (!found || found instanceof DecodingError) return undefined;
	const { entry, values } = found;
	return {
		name: entry.name,
		args: byKey(entry.inputs, values),
		text: formattedError(entry, values),
	};
}

/** The entry whose selector the data begins with, and the values of its arguments; undefined if it is none of these. */
export function decodeSelected<Entry extends AbiFunction | AbiError>(
	entries: readonly Entry[],
	data: unknown,
) {
	if (typeof data !== 'string') return undefined;
	const selector = data.slice(0, SELECTOR).toLowerCase();
	const entry = entries.find((one) => one.selector === selector);
	if (!entry) return undefined;
	const bytes = `0x${data.slice(SELECTOR)}`;
	const values = attempt(DecodingError, () => decodeParameters(entry.inputs, chainData(bytes), 0));
	if (!(values instanceof DecodingError)) return { entry, values };
	throw new DecodingError(`data that fits ${entry.signature}: ${values.message}`);
}

function formattedError({ name, inputs }: AbiError, values: readonly unknown[]): string {
	const args = inputs.map((input, index) => {
		const shown = excerpt(values[index]);
		const value = input.type.form === 'text' ? shown : shown.replace(/^"|"$/g, '');
		return input.name === '' ? value : `${input.name}: ${value}`;
	});
	return `${name}(${args.join(', ')})`;
}
