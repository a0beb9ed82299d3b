import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** The first choice that a user makes in a node: an operation, often of a resource, or an event. */
export interface Choice {
	/**
	 * The name in the markers of a page: `block.get`, `estimate` or `newBlock`. It is `node` for a node without a choice.
	 */
	readonly part: string;
	/** The title as the menus show it, such as `Block: Get`. */
	readonly title: string;
	readonly description: string;
	/** The values of the parameters that store the choice. */
	readonly values: Readonly<Record<string, string>>;
}

const WHOLE_NODE = { part: 'node', title: '', values: {} };

export function getChoices(description: INodeTypeDescription): readonly Choice[] {
	const named = (name: string) => description.properties.filter((one) => one.name === name);
	const [resources] = named('resource');
	const operations = named('operation');
	const others = operations.length > 0 ? operations : named('event');
	const [only] = others;
	if (!only) return [{ ...WHOLE_NODE, description: description.description }];
	if (!resources) return getMenuChoices(only, description);
	return getValues(resources).flatMap(({ value: resource, name }) =>
		others
			.filter((menu) => isShownFor(menu, { resource }))
			.flatMap((menu) => getMenuChoices(menu, description, resource))
			.map((choice) => (isDrawn(resources) ? prefixChoice(resource, name, choice) : choice)),
	);
}

function getMenuChoices(
	menu: INodeProperties,
	{ description: usual }: INodeTypeDescription,
	resource?: string,
): readonly Choice[] {
	return getValues(menu).map(({ value, name, description = usual }) => ({
		part: value,
		title: name,
		description,
		values: { ...(resource !== undefined && { resource }), [menu.name]: value },
	}));
}

interface NamedValue {
	readonly value: string;
	readonly name: string;
	readonly description?: string;
}

function prefixChoice(resource: string, name: string, { part, title, ...choice }: Choice): Choice {
	return { ...choice, part: `${resource}.${part}`, title: `${name}: ${title}` };
}

/** Returns the values of a menu. A menu that n8n hides has a single fixed value. */
function getValues(menu: INodeProperties): readonly NamedValue[] {
	const options = getOptions(menu);
	if (options.length === 0) return [{ value: String(menu.default), name: '' }];
	return options.map(({ value, ...option }) => ({ ...option, value: String(value) }));
}

/** Returns whether n8n shows a menu. It hides a menu with only one choice. */
function isDrawn(menu: INodeProperties): boolean {
	return menu.type === 'options' && getValues(menu).length > 1;
}

export function getOptions({ options = [] }: INodeProperties): readonly INodePropertyOptions[] {
	return options.filter((option): option is INodePropertyOptions => 'value' in option);
}

/**
 * Returns whether a property is shown for a choice, if all its other conditions hold.
 * Within a collection, the names in conditions begin with a slash.
 */
export function isShownFor(
	{ displayOptions }: INodeProperties,
	values: Readonly<Record<string, string>>,
): boolean {
	const show = Object.entries(displayOptions?.show ?? {});
	return show.every(([name, wanted]) => {
		const value = values[name.replace(/^\//, '')];
		return value === undefined || (wanted ?? []).some((one) => one === value);
	});
}
