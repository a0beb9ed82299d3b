import { listParser } from '../values/json';
import { isRecord, parseText } from '../values/parse';
import type { Field } from './field';

/** An option for operations whose items have many fields, because an AI agent reads, and pays for, every field. */
export const outputFields = {
	displayName: 'Output Fields',
	name: 'outputFields',
	type: 'string',
	default: '',
	placeholder: 'e.g. from, to, amount',
	description: 'Return only these fields of each item: their names, comma-separated',
	parse: listParser(parseText),
} as const satisfies Field;

/**
 * Removes all fields except those in the option Output Fields. A field that is missing in all results is reported
 * once.
 */
export function pickFields(
	results: readonly unknown[],
	{ options }: Readonly<Record<string, unknown>>,
	addHint: (message: string) => void,
): readonly unknown[] {
	const names = isRecord(options) ? (options.outputFields as readonly string[] | undefined) : [];
	if (!names || names.length === 0) return results;
	const found = results.filter(isRecord);
	for (const name of names) {
		if (found.length > 0 && !found.some((result) => Object.hasOwn(result, name)))
			addHint(`No item has the field '${name}' of Output Fields.`);
	}
	return results.map((result) => (isRecord(result) ? pick(result, names) : result));
}

function pick(result: Readonly<Record<string, unknown>>, names: readonly string[]): object {
	const wanted = names.filter((name) => Object.hasOwn(result, name));
	return Object.fromEntries(wanted.map((name) => [name, result[name]]));
}
