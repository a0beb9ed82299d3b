import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Field } from './field';
import type { Menu, Operations } from './operation';
import { authentication } from './sharedFields';

/** Shown while other fields have these values. */
type Show = Readonly<Record<string, ReadonlyArray<string | boolean>>>;

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

function shownFor(show: Show): Pick<INodeProperties, 'displayOptions'> {
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

/**
 * The fields of a node as n8n wants them: menus of resources and operations, then each operation's own, then options.
 * There is always a resource, because n8n tells an AI agent what an operation does only if it belongs to one.
 */
export function properties<Request>(menu: Menu<Request>): INodeProperties[] {
	const resources = Object.entries(menu);
	const names = resources.map(([value, { name }]) => ({ name, value }));
	return [
		choice('Resource', 'resource', names),
		...resources.map(([key, { operations }]) => operationMenu(operations, { resource: [key] })),
		...resources.flatMap(([key, { operations }]) =>
			operationFields(operations, { resource: [key] }),
		),
		...optionsMenu(menu),
	];
}

/** The same for a node that talks to a chain node: how it is reached comes first. */
export function nodeProperties<Request>(menu: Menu<Request>): INodeProperties[] {
	return [property(authentication), ...properties(menu)];
}

/** The line below a node on the canvas: what it does, in few words. */
export function subtitle<Request>(menu: Menu<Request>): string {
	const words = Object.entries(menu).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([operation, { action }]) => [
			`${resource}.${operation}`,
			brief(action),
		]),
	);
	const lines = JSON.stringify(Object.fromEntries(words));
	return `={{ (${lines})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

/** "Get the balance of an account" becomes "get balance of account". */
function brief(action: string): string {
	const words = action.replace(/\b(a|an|the) /g, '');
	return words.charAt(0).toLowerCase() + words.slice(1);
}

function operationMenu<Request>(operations: Operations<Request>, show: Show): INodeProperties {
	const options = Object.entries(operations).map(([value, { name, action, description }]) => ({
		name,
		value,
		action,
		description,
	}));
	return { ...choice('Operation', 'operation', options), ...shownFor(show) };
}

/** Where there is only one thing to choose, there is nothing to see. */
function choice(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
): INodeProperties {
	const type = options.length > 1 ? 'options' : 'hidden';
	const usual = options[0]?.value ?? '';
	return { displayName, name, type, noDataExpression: true, options, default: usual };
}

/** A field that several operations share is drawn once, so that its value stays when the user switches. */
function operationFields<Request>(operations: Operations<Request>, show: Show): INodeProperties[] {
	const users = Object.entries(operations).map(([key, { fields }]) => ({
		key,
		fields: fields.filter(({ name }) => name !== OPTIONS),
	}));
	return inOrder(users.map(({ fields }) => fields)).map((field) => {
		const operation = users.filter(({ fields }) => fields.includes(field)).map(({ key }) => key);
		return property(field, { ...show, operation });
	});
}

/** Each field once, behind all that any list has before it. */
function inOrder(lists: ReadonlyArray<readonly Field[]>): Field[] {
	const heads = lists.flatMap(([first]) => first ?? []);
	const next = heads.find((head) => lists.every((list) => list.indexOf(head) <= 0)) ?? heads[0];
	if (!next) return [];
	return [next, ...inOrder(lists.map((list) => list.filter((field) => field !== next)))];
}

const OPTIONS = 'options';

interface Use {
	readonly resource: string;
	readonly operation: string;
	readonly options: readonly Field[];
}

/** An option as it is drawn, and the operations that have it. */
interface Option {
	readonly field: Field;
	readonly users: Use[];
}

/**
 * The options of all operations as one collection. n8n empties a collection that belongs to an operation when the user
 * switches to another one; in this one what was added stays, and each option is offered where it applies.
 */
function optionsMenu<Request>(menu: Menu<Request>): INodeProperties[] {
	const uses = usesIn(menu);
	const [first] = uses;
	if (!first) return [];
	const hasResources = Object.keys(menu).length > 1;
	const options = optionsOf(uses).flatMap(({ field, users }) => {
		const shows = users.length === uses.length ? [{}] : whereShown(users, hasResources);
		return shows.map((show) => property(field, show));
	});
	return [{ ...property(first.field), options: byName(options) }];
}

/** Options that are drawn alike are one. Many are the same object: how these are drawn is found once. */
function optionsOf(uses: readonly Use[]): readonly Option[] {
	const drawings = new Map<Field, string>();
	const options = new Map<string, Option>();
	for (const use of uses) {
		for (const field of use.options) {
			const drawing = drawings.get(field) ?? JSON.stringify(property(field));
			drawings.set(field, drawing);
			const known = options.get(drawing);
			if (known) known.users.push(use);
			else options.set(drawing, { field, users: [use] });
		}
	}
	return [...options.values()];
}

function usesIn<Request>(menu: Menu<Request>): Array<Use & { readonly field: Field }> {
	return Object.entries(menu).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, { fields }]) =>
			fields.flatMap((field) =>
				field.name === OPTIONS && field.type === 'collection'
					? [{ resource, operation, options: field.options, field }]
					: [],
			),
		),
	);
}

/** For which choices an option is offered, resource by resource. */
function whereShown(users: readonly Use[], hasResources: boolean): readonly Show[] {
	return [...new Set(users.map(({ resource }) => resource))].map((resource) => ({
		...(hasResources && { '/resource': [resource] }),
		'/operation': users.filter((use) => use.resource === resource).map((use) => use.operation),
	}));
}

/** Names are plain ASCII; `localeCompare` would load all of Unicode's rules for it, for ten milliseconds. */
function byName(options: readonly INodeProperties[]): INodeProperties[] {
	return [...options].sort(({ displayName: one }, { displayName: other }) =>
		one < other ? -1 : Number(one > other),
	);
}

/** One of the events that a trigger can wait for. */
export interface Described {
	readonly name: string;
	readonly description: string;
	/** What only this event, and others that name the same field, asks for. */
	readonly fields: readonly Field[];
}

/** The menu of a trigger's events, and the fields of each, drawn while it is chosen. The keys are what workflows store. */
export function eventFields<Key extends string>(
	events: Readonly<Record<Key, Described>>,
	usual: NoInfer<Key>,
): readonly [event: Field, ...own: Field[]] {
	const keys = Object.keys(events) as Key[];
	const shared = new Set(keys.flatMap((key) => events[key].fields));
	const own = [...shared].map((field) => ({
		...field,
		show: { ...field.show, event: keys.filter((key) => events[key].fields.includes(field)) },
	}));
	return [eventMenu(events, usual), ...own];
}

/** The line below a trigger on the canvas: what it waits for. */
export function eventSubtitle(events: Readonly<Record<string, Described>>): string {
	const names = Object.entries(events).map(([key, { name }]) => [key, name.toLowerCase()]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["event"]] }}`;
}

function eventMenu(events: Readonly<Record<string, Described>>, usual: string): Field {
	return {
		displayName: 'Event',
		name: 'event',
		type: 'options',
		default: usual,
		noDataExpression: true,
		options: Object.entries(events).map(([value, { name, description }]) => ({
			name,
			value,
			description,
		})),
	};
}
