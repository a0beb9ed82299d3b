import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Field } from './field';
import { authentication } from './sharedFields';
import type { Menu, Operations } from './operation';

type Show = Readonly<Record<string, ReadonlyArray<string | boolean>>>;

/** The fields of a node as n8n wants them: menus of resources and operations, then each operation's own. */
export function properties<Request>(menu: Menu<Request>): INodeProperties[] {
	if ('operations' in menu) {
		return [operationMenu(menu.operations, {}), ...operationFields(menu.operations, {})];
	}
	const resources = Object.entries(menu.resources);
	return [
		choice(
			'Resource',
			'resource',
			resources.map(([value, { name }]) => ({ name, value })),
		),
		...resources.map(([key, { operations }]) => operationMenu(operations, { resource: [key] })),
		...resources.flatMap(([key, { operations }]) =>
			operationFields(operations, { resource: [key] }),
		),
	];
}

/** The same for a node that talks to a chain node: how it is reached comes first. */
export function nodeProperties<Request>(menu: Menu<Request>): INodeProperties[] {
	return [property(authentication), ...properties(menu)];
}

function operationMenu<Request>(operations: Operations<Request>, show: Show): INodeProperties {
	const options = Object.entries(operations).map(([value, { name, action, description }]) => ({
		name,
		value,
		action,
		description,
	}));
	return {
		...choice('Operation', 'operation', options),
		displayOptions: { show: { ...mutable(show) } },
	};
}

function choice(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
): INodeProperties {
	const menu = { displayName, name, type: 'options', noDataExpression: true, options, default: '' };
	return { ...menu, type: 'options', default: options[0]?.value ?? '' };
}

/** A field that several operations share is drawn once, so that its value stays when the user switches. */
function operationFields<Request>(operations: Operations<Request>, show: Show): INodeProperties[] {
	const users = new Map<Field, string[]>();
	for (const [key, { fields }] of Object.entries(operations)) {
		for (const field of fields) users.set(field, [...(users.get(field) ?? []), key]);
	}
	return [...users].map(([field, operation]) => property(field, { ...show, operation }));
}

/** What a field says to this package alone. */
const OWN_KEYS = ['read', 'show'];

/** One field as n8n draws it; `show` says for which choices of the other fields. */
export function property(field: Field, show: Show = {}): INodeProperties {
	const drawn = Object.entries(field).filter(([key]) => !OWN_KEYS.includes(key));
	const conditions = { ...show, ...field.show };
	return {
		...Object.fromEntries(drawn),
		...('options' in field && { options: subOptions(field) }),
		...(Object.keys(conditions).length > 0 && { displayOptions: { show: mutable(conditions) } }),
	} as INodeProperties;
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

function mutable(show: Show): Record<string, Array<string | boolean>> {
	return Object.fromEntries(Object.entries(show).map(([name, values]) => [name, [...values]]));
}
