import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { Field, Show } from './field';
import type { Resources, Operations } from './operation';
import { authentication } from './sharedFields';

type ShowCondition = Array<string | boolean | number>;

/** The name under which every operation has its collection of options. */
const OPTIONS_NAME = 'options';

/** The keys of a field that are not part of n8n's property. */
const INTERNAL_KEYS = ['parse', 'show', 'hide', 'draw'];

/** Converts a field into a property of an n8n node. */
export function buildProperty(field: Field, show: Show = {}): INodeProperties {
	const drawn = Object.entries(field).filter(([key]) => !INTERNAL_KEYS.includes(key));
	return {
		...Object.fromEntries(drawn),
		...('options' in field && { options: buildSubOptions(field) }),
		...buildDisplayOptions({ ...show, ...field.show }, field),
	} as INodeProperties;
}

function buildDisplayOptions(
	show: Show,
	{ hide, draw }: Pick<Field, 'hide' | 'draw'> = {},
): Pick<INodeProperties, 'displayOptions'> {
	const conditions = Object.entries(show).map(([name, values]): [string, ShowCondition] => [
		name,
		[...values],
	]);
	const shown = { ...Object.fromEntries(conditions), ...draw };
	const displayOptions = {
		...(Object.keys(shown).length > 0 && { show: shown }),
		...(hide && { hide }),
	};
	return Object.keys(displayOptions).length > 0 ? { displayOptions } : {};
}

function buildSubOptions(field: Extract<Field, { options: unknown }>): INodeProperties['options'] {
	if (field.type === 'collection') return field.options.map((option) => buildProperty(option));
	if (field.type === 'fixedCollection') {
		return field.options.map(({ values, ...group }) => ({
			...group,
			values: values.map((value) => buildProperty(value)),
		}));
	}
	return [...field.options];
}

/**
 * Builds the menus of resources and operations, the fields of each operation, and the options. There is always a
 * resource, because n8n shows an AI agent only operations that belong to a resource.
 */
export function buildProperties<Request>(menu: Resources<Request>): INodeProperties[] {
	const resources = Object.entries(menu);
	const names = resources.map(([value, { name }]) => ({ name, value }));
	return [
		buildResourceMenu(names),
		...resources.map(([key, { operations }]) =>
			buildOperationMenu(operations, { resource: [key] }),
		),
		...resources.flatMap(([key, { operations }]) =>
			buildOperationFields(operations, (chosen) => showOperations(menu, [key], chosen)),
		),
		...buildOptions(menu),
	];
}

/**
 * Builds the condition for showing fields of some operations. A condition that always holds is left out, because AI
 * models read the conditions of every field.
 */
function showOperations<Request>(
	menu: Resources<Request>,
	resource: readonly string[],
	operation: readonly string[],
): Show {
	const [first, ...others] = Object.values(menu);
	const hasMenu = others.length > 0 || Object.keys(first?.operations ?? {}).length > 1;
	return { ...(others.length > 0 && { resource }), ...(hasMenu && { operation }) };
}

/** Builds the properties of an n8n node that calls a chain node. They begin with the field Authentication. */
export function buildNodeProperties<Request>(menu: Resources<Request>): INodeProperties[] {
	return [buildProperty(authentication), ...buildProperties(menu)];
}

/** Builds the expression for the line below a node on the canvas, such as "get balance of account". */
export function buildSubtitle<Request>(menu: Resources<Request>): string {
	const words = Object.entries(menu).flatMap(([resource, { name, operations }]) =>
		Object.entries(operations).map(([operation, { action }]) => [
			`${resource}.${operation}`,
			shortenAction(action, name),
		]),
	);
	const lines = JSON.stringify(Object.fromEntries(words));
	return `={{ (${lines})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}

/**
 * Shortens an action to about 28 letters, the space on the canvas. Articles and details are left out. If only a verb
 * remains, the resource is added.
 */
function shortenAction(action: string, resource: string): string {
	const words = action.replace(/\b(a|an|the) /g, '').replace(/(,| to | \().*/, '');
	const line = words.includes(' ') ? words : `${words} ${resource.toLowerCase()}`;
	return line.charAt(0).toLowerCase() + line.slice(1);
}

function buildOperationMenu<Request>(operations: Operations<Request>, show: Show): INodeProperties {
	const options = Object.entries(operations).map(([value, operation]) => {
		const { name, action, description, builderHint } = operation;
		return { name, value, action, description, ...(builderHint && { builderHint }) };
	});
	return { ...buildMenu('Operation', 'operation', options), ...buildDisplayOptions(show) };
}

/** One resource needs no menu. */
function buildResourceMenu(names: INodePropertyOptions[]): INodeProperties {
	const menu = buildMenu('Resource', 'resource', names);
	return names.length > 1 ? menu : { ...menu, type: 'hidden' };
}

/**
 * Builds a menu. A menu with a single operation is shown, too, because n8n's builder finds no operation in a hidden
 * menu.
 */
function buildMenu(
	displayName: string,
	name: string,
	options: INodePropertyOptions[],
): INodeProperties {
	const usual = options[0]?.value ?? '';
	return { displayName, name, type: 'options', noDataExpression: true, options, default: usual };
}

/**
 * Builds the fields of all operations. A field that several operations share becomes one property, so that its value
 * stays when the user changes the operation.
 */
function buildOperationFields<Request>(
	operations: Operations<Request>,
	showFor: (operation: readonly string[]) => Show,
): INodeProperties[] {
	const users = Object.entries(operations).map(([key, { fields }]) => ({
		key,
		fields: fields.filter(({ name }) => name !== OPTIONS_NAME),
	}));
	return mergeFields(users.map(({ fields }) => fields)).map((field) => {
		const operation = users.filter(({ fields }) => fields.includes(field)).map(({ key }) => key);
		return buildProperty(field, showFor(operation));
	});
}

/** Merges lists of fields without duplicates. The order agrees with all lists, if possible. */
function mergeFields(lists: ReadonlyArray<readonly Field[]>): Field[] {
	const heads = lists.flatMap(([first]) => first ?? []);
	const next = heads.find((head) => lists.every((list) => list.indexOf(head) <= 0)) ?? heads[0];
	if (!next) return [];
	return [next, ...mergeFields(lists.map((list) => list.filter((field) => field !== next)))];
}

interface OptionUse {
	readonly resource: string;
	readonly operation: string;
	/** The collection as a property of the node. */
	readonly drawn: INodeProperties;
}

/**
 * Builds the options of all operations. Operations with the same options share a collection, which keeps the node's
 * description for AI models short. All collections have the same name. The last property is hidden and keeps the
 * stored values, because n8n drops the values of a collection that is not shown.
 */
function buildOptions<Request>(menu: Resources<Request>): INodeProperties[] {
	const uses = findOptionUses(menu);
	if (uses.length === 0) return [];
	const collections = groupBy(uses, ({ drawn }) => JSON.stringify(drawn));
	return [...collections.flatMap((sharing) => buildCollections(menu, sharing)), keptOptions];
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[][] {
	const groups = new Map<string, Item[]>();
	for (const item of items) {
		const key = keyOf(item);
		const group = groups.get(key);
		if (group) group.push(item);
		else groups.set(key, [item]);
	}
	return [...groups.values()];
}

const keptOptions: INodeProperties = {
	displayName: 'Options',
	name: OPTIONS_NAME,
	type: 'hidden',
	default: {},
};

function findOptionUses<Request>(menu: Resources<Request>): OptionUse[] {
	return Object.entries(menu).flatMap(([resource, { operations }]) =>
		Object.entries(operations).flatMap(([operation, { fields }]) =>
			fields.flatMap((field) =>
				field.name === OPTIONS_NAME && field.type === 'collection'
					? [{ resource, operation, drawn: buildCollection(field) }]
					: [],
			),
		),
	);
}

function buildCollection(field: Field): INodeProperties {
	const drawn = buildProperty(field);
	return { ...drawn, options: sortByName((drawn.options ?? []) as INodeProperties[]) };
}

/**
 * Builds the collections for operations with the same options. Resources share a collection if they have these options
 * in operations with the same keys.
 */
function buildCollections<Request>(
	menu: Resources<Request>,
	sharing: readonly OptionUse[],
): INodeProperties[] {
	const operationsOf = (one: string) =>
		sharing.filter(({ resource }) => resource === one).map(({ operation }) => operation);
	const resources = [...new Set(sharing.map(({ resource }) => resource))];
	return groupBy(resources, (one) => operationsOf(one).sort().join()).flatMap((alike) =>
		sharing.slice(0, 1).map(({ drawn }) => {
			const operations = showOperations(menu, alike, operationsOf(alike[0] ?? ''));
			const show = buildDisplayOptions(operations).displayOptions?.show;
			const own = drawn.displayOptions;
			return show
				? { ...drawn, displayOptions: { ...own, show: { ...show, ...own?.show } } }
				: drawn;
		}),
	);
}

/**
 * Sorts options by name. The names are ASCII, so a plain comparison suffices; `localeCompare` would load ICU data,
 * which takes 10 ms.
 */
function sortByName(options: readonly INodeProperties[]): INodeProperties[] {
	return [...options].sort(({ displayName: one }, { displayName: other }) =>
		one < other ? -1 : Number(one > other),
	);
}

export interface EventInfo {
	readonly name: string;
	/** The text in n8n's list of triggers, such as "On new block". */
	readonly action?: string;
	readonly description: string;
	/** The fields that are shown while this event is selected. Several events may share a field. */
	readonly fields: readonly Field[];
}

/**
 * Builds the menu of a trigger's events, and the fields of each event. The keys must not change, because workflows
 * store them.
 */
export function eventFields<Key extends string>(
	events: Readonly<Record<Key, EventInfo>>,
	usual: NoInfer<Key>,
): readonly [event: Field, ...own: Field[]] {
	return choiceFields({ displayName: 'Event', name: 'event' }, events, usual);
}

/** A field with a menu in which one value is chosen. */
interface MenuField<Key extends string> {
	readonly type: 'options';
	readonly default: Key;
	readonly noDataExpression: true;
	readonly options: ReadonlyArray<{
		readonly name: string;
		readonly value: Key;
		readonly description: string;
	}>;
}

/** Builds a menu and the fields of its choices. A field that several choices share is built once. */
export function choiceFields<
	const Menu extends Pick<Field, 'displayName' | 'name' | 'description'>,
	Key extends string,
>(
	menu: Menu,
	choices: Readonly<Record<Key, EventInfo>>,
	usual: NoInfer<Key>,
): readonly [menu: Menu & MenuField<Key>, ...own: Field[]] {
	const keys = Object.keys(choices) as Key[];
	const own = mergeFields(keys.map((key) => choices[key].fields)).map((field) => ({
		...field,
		show: {
			...field.show,
			[menu.name]: keys.filter((key) => choices[key].fields.includes(field)),
		},
	}));
	const options = keys.map((value) => {
		const { name, action, description } = choices[value];
		return { name, value, ...(action && { action }), description };
	});
	return [{ ...menu, type: 'options', default: usual, noDataExpression: true, options }, ...own];
}

/** Builds the expression for the line below a trigger on the canvas. */
export function buildEventSubtitle(events: Readonly<Record<string, EventInfo>>): string {
	const names = Object.entries(events).map(([key, { name }]) => [key, name.toLowerCase()]);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["event"]] }}`;
}
