import type { INodeProperties, INodePropertyCollection, INodeTypeDescription } from 'n8n-workflow';
import { isShownFor, getOptions, type Choice } from './choices.mts';
import { escapeCell, toText } from './words.mts';

/** A row in the table of parameters. Its cells are in Markdown. */
export type ParameterRow = readonly [name: string, type: string, usual: string, meaning: string];

const UNDRAWN_TYPES = ['hidden', 'notice', 'callout', 'button'];

/** Builds the rows for one operation or event. Parameters inside collections have rows of their own. */
export function buildRows(
	description: INodeTypeDescription,
	choice: Choice,
): readonly ParameterRow[] {
	const { properties } = description;
	return properties
		.filter(
			(property) => !(property.name in choice.values) && !UNDRAWN_TYPES.includes(property.type),
		)
		.filter(({ name }) => name !== 'resource')
		.filter((property) => isShownFor(property, choice.values))
		.flatMap((property) => buildPropertyRows(property, { among: properties, choice }));
}

interface RowContext {
	/** The sibling parameters, which the display conditions of the parameter may name. */
	readonly among: readonly INodeProperties[];
	readonly choice: Choice;
	readonly inside?: string;
}

function buildPropertyRows(property: INodeProperties, place: RowContext): readonly ParameterRow[] {
	const { displayName, type, options = [] } = property;
	const inside = place.inside ? `${place.inside} → ${displayName}` : displayName;
	if (type === 'collection') {
		const parts = options as INodeProperties[];
		return parts
			.filter((part) => !UNDRAWN_TYPES.includes(part.type))
			.filter((part) => isShownFor(part, place.choice.values))
			.flatMap((part) => buildPropertyRows(part, { ...place, among: parts, inside }));
	}
	if (type === 'fixedCollection') {
		return (options as INodePropertyCollection[]).flatMap(({ values }) =>
			values.flatMap((value) => buildPropertyRows(value, { ...place, among: values, inside })),
		);
	}
	return [
		[
			escapeCell(inside),
			formatType(property),
			formatDefault(property),
			formatMeaning(property, place),
		],
	];
}

const TYPE_TEXTS: Readonly<Record<string, string>> = {
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

function formatType({ type }: INodeProperties): string {
	return TYPE_TEXTS[type] ?? type;
}

function formatDefault(property: INodeProperties): string {
	const { type, required } = property;
	const usual = getLocatorValue(property.default);
	if (type === 'boolean') return usual ? 'on' : 'off';
	if (Array.isArray(usual) && usual.length === 0) return '';
	if (type === 'resourceMapper' || usual === '' || usual === undefined) {
		return required ? '**required**' : '';
	}
	const chosen = getOptions(property).find(({ value }) => value === usual);
	return chosen ? escapeCell(chosen.name) : `\`${escapeCell(String(usual))}\``;
}

/** Returns the value in a resource locator, which n8n stores together with its mode. */
function getLocatorValue(usual: unknown): unknown {
	return usual !== null && typeof usual === 'object' && 'value' in usual ? usual.value : usual;
}

function formatMeaning(property: INodeProperties, place: RowContext): string {
	const { description = '', hint = '', placeholder = '' } = property;
	const [example, words] = splitExample(hint);
	return [
		endSentence(toText(description)),
		endSentence(toText(words)),
		formatChoices(property),
		formatExamples(example || splitExample(placeholder)[0]),
		formatCondition(property, place),
	]
		.filter(Boolean)
		.join(' ');
}

function endSentence(text: string): string {
	return text === '' || /[.:!?…]$/.test(text) ? text : `${text}.`;
}

function formatChoices(property: INodeProperties): string {
	const options = getOptions(property);
	return options.length === 0
		? ''
		: `One of: ${options.map(({ name }) => escapeCell(name)).join(', ')}.`;
}

/** Splits a text, such as the hint of a JSON editor, into the example at its beginning and the further sentences. */
function splitExample(text: string): [example: string, words: string] {
	const [whole, example = '', words = ''] = /^e\.g\. (.+?)(?:\. ([A-Z].*))?$/.exec(text) ?? [];
	return whole === undefined ? ['', text] : [example, words];
}

function formatExamples(text: string): string {
	const values = text.split(' or ').map((value) => `\`${escapeCell(value)}\``);
	return text === '' ? '' : `E.g. ${values.join(' or ')}.`;
}

function formatCondition({ displayOptions }: INodeProperties, place: RowContext): string {
	const show = Object.entries(displayOptions?.show ?? {});
	const conditions = show
		.filter(([name]) => !(name in place.choice.values) && !/^[@/]/.test(name))
		.map(([name, wanted = []]) => {
			const other = place.among.find(
				(one) => one.name === name && isShownFor(one, place.choice.values),
			);
			const values = wanted.map((value) => getValueName(other, value)).join(' or ');
			return `**${other?.displayName ?? name}** is ${values}`;
		});
	return conditions.length === 0 ? '' : `Only while ${conditions.join(' and ')}.`;
}

/** Formats a test on a value as words. n8n writes such tests in display conditions. */
function formatTest(value: unknown): string {
	const { _cnd: test } = value as { readonly _cnd?: Readonly<Record<string, unknown>> };
	const { includes, ...others } = test ?? {};
	if (typeof includes !== 'string' || Object.keys(others).length > 0)
		throw new Error(`No words for the condition ${JSON.stringify(value)}`);
	return includes === '\n' ? 'text with a line break' : `text with \`${escapeCell(includes)}\``;
}

function getValueName(property: INodeProperties | undefined, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const option = property && getOptions(property).find((one) => one.value === value);
	if (option) return option.name;
	return typeof value === 'object' ? formatTest(value) : String(value);
}
