import type { Field } from '../core/operation/field';
import { parseJsonValue } from '../core/values/json';
import { isBlank, isRecord, InvalidValue } from '../core/values/parse';
import { raise } from '../core/errors/raise';

export const queryField = {
	displayName: 'Query',
	name: 'query',
	type: 'json',
	default: '{}',
	description:
		"The parameters of the URL's query as a JSON object. A parameter whose value is a list is sent once for each entry of the list.",
	parse: (given: unknown) => {
		const value = isBlank(given) ? {} : parseJsonValue(given);
		if (!isRecord(value)) throw new InvalidValue('a JSON object');
		const pairs = Object.entries(value).flatMap(([key, one]) =>
			[one].flat().map((each) => [key, formatParameter(each)]),
		);
		return new URLSearchParams(pairs).toString();
	},
} as const satisfies Field;

function formatParameter(value: unknown): string {
	return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
		? String(value)
		: raise(new InvalidValue('a JSON object of texts, numbers, true or false, and lists of these'));
}
