import type { Field, Params } from '../core/operation/field';
import { parseResourceMapper } from '../core/operation/resourceMapper';
import { parseJsonValue } from '../core/values/json';
import { isBlank, isRecord } from '../core/values/parse';

const argumentsBy = {
	displayName: 'Arguments By',
	name: 'argumentsBy',
	type: 'options',
	default: 'fields',
	noDataExpression: true,
	description: 'How to give the arguments',
	options: [
		{ name: 'Fields', value: 'fields', description: 'A field for each argument' },
		{
			name: 'JSON',
			value: 'json',
			description: 'A JSON list in order, or a JSON object with names',
		},
	],
} as const satisfies Field;

/** The arguments as JSON, for when the editor shows no field for each of them. */
export const argumentList = {
	displayName: 'Arguments',
	name: 'arguments',
	type: 'json',
	default: '[]',
	description:
		'A JSON list in order, or a JSON object by name. Write large integers as text, in quotes.',
	hint: 'e.g. ["0x1a2b", "5"] or { "to": "0x1a2b", "amount": "5" }',
	parse: (given: unknown) => (isBlank(given) ? [] : parseJsonValue(given)),
} as const satisfies Field;

const argumentsJson = { ...argumentList, show: { argumentsBy: ['json'] } } as const satisfies Field;

/** Makes the input fields for arguments. The editor draws them again when a field in `dependsOn` changes. */
export function buildArgumentInputs(...dependsOn: readonly string[]) {
	const argumentFields = {
		displayName: 'Arguments',
		name: 'argumentFields',
		type: 'resourceMapper',
		default: { mappingMode: 'defineBelow', value: null },
		noDataExpression: true,
		typeOptions: {
			loadOptionsDependsOn: [...dependsOn],
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
	return [argumentsBy, argumentFields, argumentsJson] as const;
}

export type GivenArguments = Partial<Params<ReturnType<typeof buildArgumentInputs>>>;

/** The part of a function's ABI that is needed to read its arguments. */
interface CallTarget {
	readonly inputs: ReadonlyArray<{ readonly key: string }>;
}

export function getArgumentValues(called: CallTarget, given: GivenArguments): unknown {
	return given.argumentsBy === 'json'
		? given.arguments
		: pickOwnArguments(called, given.argumentFields);
}

/**
 * Picks the values of the function's own arguments, because the editor also keeps values of a function that was
 * chosen before.
 */
function pickOwnArguments({ inputs }: CallTarget, given: unknown): unknown {
	if (!isRecord(given)) return given ?? {};
	const own = inputs.filter(({ key }) => Object.hasOwn(given, key));
	return Object.fromEntries(own.map(({ key }) => [key, given[key]]));
}

/** Builds a notice, which the editor shows in place of the fields for arguments. */
export function buildNotice(emptyFieldsNotice: string) {
	return { fields: [], emptyFieldsNotice };
}
