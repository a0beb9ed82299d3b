import type { INodeProperties } from 'n8n-workflow';
import type { Field } from '../field';

/** Shown while other fields have these values. */
export type Show = Readonly<Record<string, ReadonlyArray<string | boolean>>>;

type Condition = Array<string | boolean>;

/** What a field says to this package alone. */
const OWN_KEYS = ['read', 'show'];

/** One field as n8n draws it; `show` says for which choices of the other fields. */
export function property(field: Field, show: Show = {}): INodeProperties {
	const drawn = Object.entries(field).filter(([key]) => !OWN_KEYS.includes(key));
	return {
		...Object.fromEntries(drawn),
		...('options' in field && { options: subOptions(field) }),
		...shownFor({ ...show, ...field.show }),
	} as INodeProperties;
}

export function shownFor(show: Show): Pick<INodeProperties, 'displayOptions'> {
	const conditions = Object.entries(show).map(([name, values]): [string, Condition] => [
		name,
		[...values],
	]);
	return conditions.length > 0 ? { displayOptions: { show: Object.fromEntries(conditions) } } : {};
}

function subOptions(field: Extract<Field, { options: unknown }>): INodeProperties['options'] {
	if (field.type === 'collection') return field.options.map((option) => property(option));
	if (field.type === 'fixedCollection') {
		return field.options.map(({ values, ...group }) => ({
			...group,
			values: values.map((value) => property(value)),
		}));
	}
	return [...field.options];
}
