import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

/** What a user picks before anything else: an operation, perhaps of a resource, or an event. */
export interface Choice {
	/** Its name in a page's markers: `block.get`, `estimate`, `newBlock`; `node` where there is nothing to pick. */
	readonly part: string;
	readonly description: string;
	/** The values that stand for it. */
	readonly values: Readonly<Record<string, string>>;
}

const MENUS = ['resource', 'operation', 'event'];

export function choicesOf(description: INodeTypeDescription): readonly Choice[] {
	const menus = description.properties.filter(({ name }) => MENUS.includes(name));
	const resources = menus.find(({ name }) => name === 'resource');
	if (resources && isDrawn(resources)) {
		return optionsOf(resources).flatMap(({ value: resource }) =>
			menus
				.filter((menu) => menu.name === 'operation' && fits(menu, { resource: String(resource) }))
				.flatMap((menu) => choicesIn(menu, { resource: String(resource) })),
		);
	}
	const hidden: Record<string, string> = resources ? { resource: String(resources.default) } : {};
	const menu = menus.find(({ name }) => name !== 'resource');
	if (menu) return choicesIn(menu, hidden);
	return [{ part: 'node', description: description.description, values: {} }];
}

function choicesIn(
	menu: INodeProperties,
	above: Readonly<Record<string, string>>,
): readonly Choice[] {
	const isShown = menu.name === 'operation' && Object.keys(above).length > 0;
	return optionsOf(menu).map(({ value, description = '' }) => ({
		part: isShown ? `${above.resource}.${value}` : String(value),
		description,
		values: { ...above, [menu.name]: String(value) },
	}));
}

/** A menu with one choice is no choice: n8n does not draw it. */
function isDrawn({ type, options = [] }: INodeProperties): boolean {
	return type === 'options' && options.length > 1;
}

export function optionsOf({ options = [] }: INodeProperties): readonly INodePropertyOptions[] {
	return options.filter((option): option is INodePropertyOptions => 'value' in option);
}

/** Whether it is drawn for this choice, whatever else it may depend on. */
export function fits(
	{ displayOptions }: INodeProperties,
	values: Readonly<Record<string, string>>,
): boolean {
	const show = Object.entries(displayOptions?.show ?? {});
	return show.every(([name, wanted]) => {
		const value = values[name];
		return value === undefined || (wanted ?? []).some((one) => one === value);
	});
}
