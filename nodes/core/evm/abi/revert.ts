import { excerpt } from '../../values/excerpt';
import { attempt } from './attempt';
import { chainData, Undecodable } from './types/chainData';
import type { AbiError } from './declared/entry';
import { byKey } from './types/parameter';
import { readParts } from './types/parts';

interface DecodedError {
	readonly name: string;
	readonly args: Readonly<Record<string, unknown>>;
	/** For people: `TooLittle(available: 5, wanted: 10)`. Long values are cut. */
	readonly text: string;
}

const SELECTOR = 10;

/** Why a contract reverted, if it says so with one of these errors. */
export function decodeError(errors: readonly AbiError[], data: unknown): DecodedError | undefined {
	if (typeof data !== 'string') return undefined;
	const selector = data.slice(0, SELECTOR).toLowerCase();
	const found = errors.find((error) => error.selector === selector);
	if (!found) return undefined;
	const bytes = `0x${data.slice(SELECTOR)}`;
	const values = attempt(Undecodable, () => readParts(found.inputs, chainData(bytes), 0));
	if (values instanceof Undecodable) return undefined;
	return { name: found.name, args: byKey(found.inputs, values), text: spelled(found, values) };
}

function spelled({ name, inputs }: AbiError, values: readonly unknown[]): string {
	const args = inputs.map((input, index) => {
		const shown = excerpt(values[index]);
		const value = input.type.form === 'text' ? shown : shown.replace(/^"|"$/g, '');
		return input.name === '' ? value : `${input.name}: ${value}`;
	});
	return `${name}(${args.join(', ')})`;
}
