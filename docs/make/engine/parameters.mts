import type { INodeProperties, INodePropertyCollection, INodeTypeDescription } from 'n8n-workflow';
import { fits, optionsOf, propertiesOf, type Choice } from './choices.mts';
import { cell, words } from './words.mts';

/** A line of a table of parameters, in Markdown. */
export type Row = readonly [name: string, type: string, usual: string, meaning: string];

const NOT_DRAWN = ['hidden', 'notice', 'callout', 'button'];

/** The lines of one operation or event, those inside collections too. */
export function rowsOf(description: INodeTypeDescription, choice: Choice): readonly Row[] {
	const properties = propertiesOf(description);
	return properties
		.filter((property) => !(property.name in choice.values) && !NOT_DRAWN.includes(property.type))
		.filter(({ name }) => name !== 'resource')
		.filter((property) => fits(property, choice.values))
		.flatMap((property) => rows(property, { among: properties, choice }));
}

interface Place {
	/** The parameters beside it, which its conditions name. */
	readonly among: readonly INodeProperties[];
	readonly choice: Choice;
	readonly inside?: string;
}

function rows(property: INodeProperties, place: Place): readonly Row[] {
	const { displayName, type, options = [] } = property;
	const inside = place.inside ? `${place.inside} → ${displayName}` : displayName;
	if (type === 'collection') {
		const parts = options as INodeProperties[];
		return parts
			.filter((part) => !NOT_DRAWN.includes(part.type))
			.flatMap((part) => rows(part, { ...place, among: parts, inside }));
	}
	if (type === 'fixedCollection') {
		return (options as INodePropertyCollection[]).flatMap(({ values }) =>
			values.flatMap((value) => rows(value, { ...place, among: values, inside })),
		);
	}
	return [[cell(inside), typeOf(property), usualOf(property), meaningOf(property, place)]];
}

const TYPES: Readonly<Record<string, string>> = {
	string: 'text',
	number: 'number',
	boolean: 'on or off',
	options: 'choice',
	multiOptions: 'choices',
	json: 'JSON',
	dateTime: 'time',
	resourceMapper: 'fields',
	resourceLocator: 'list or text',
};

function typeOf({ type }: INodeProperties): string {
	return TYPES[type] ?? type;
}

function usualOf(property: INodeProperties): string {
	const { type, required } = property;
	const usual = locatorValue(property.default);
	if (type === 'boolean') return usual ? 'on' : 'off';
	if (Array.isArray(usual) && usual.length === 0) return '';
	if (type === 'resourceMapper' || usual === '' || usual === undefined) {
		return required ? '**required**' : '';
	}
	const chosen = optionsOf(property).find(({ value }) => value === usual);
	return chosen ? cell(chosen.name) : `\`${cell(String(usual))}\``;
}

/** What stands in a resource locator is wrapped with how it got there. */
function locatorValue(usual: unknown): unknown {
	return usual !== null && typeof usual === 'object' && 'value' in usual ? usual.value : usual;
}

function meaningOf(property: INodeProperties, place: Place): string {
	const { description = '', hint = '', placeholder = '' } = property;
	const isExample = placeholder.startsWith('e.g. ');
	return [
		sentence(words(description)),
		sentence(words(hint)),
		choicesOf(property),
		isExample ? `E.g. ${examples(placeholder.slice('e.g. '.length))}.` : '',
		conditionOf(property, place),
	]
		.filter(Boolean)
		.join(' ');
}

function sentence(text: string): string {
	return text === '' || /[.:!?…]$/.test(text) ? text : `${text}.`;
}

function choicesOf(property: INodeProperties): string {
	const options = optionsOf(property);
	return options.length === 0 ? '' : `One of: ${options.map(({ name }) => cell(name)).join(', ')}.`;
}

function examples(text: string): string {
	const values = text.split(' or ').map((value) => `\`${cell(value)}\``);
	return values.join(' or ');
}

function conditionOf({ displayOptions }: INodeProperties, place: Place): string {
	const show = Object.entries(displayOptions?.show ?? {});
	const conditions = show
		.filter(([name]) => !(name in place.choice.values) && !/^[@/]/.test(name))
		.map(([name, wanted = []]) => {
			const other = place.among.find((one) => one.name === name && fits(one, place.choice.values));
			const values = wanted.map((value) => valueName(other, value)).join(' or ');
			return `**${other?.displayName ?? name}** is ${values}`;
		});
	return conditions.length === 0 ? '' : `Only while ${conditions.join(' and ')}.`;
}

function valueName(property: INodeProperties | undefined, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const option = property && optionsOf(property).find((one) => one.value === value);
	return option?.name ?? String(value);
}
