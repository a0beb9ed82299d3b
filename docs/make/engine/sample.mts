import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { choicesOf, fits, optionsOf, propertiesOf } from './choices.mts';
import { nodeNamed } from './nodes.mts';
import type { Steady } from './steady.mts';
import { cell } from './words.mts';

/** One run of a node: what it was given, and what came out. */
export interface Sample {
	readonly node: string;
	/** The operation or event, as the markers of its page name it. */
	readonly part: string;
	/** What was set beside the operation itself. */
	readonly parameters: INodeParameters;
	readonly items: readonly IDataObject[];
}

/** The same in words for a page. */
export interface Shown {
	readonly given: string;
	readonly items: readonly IDataObject[];
}

/** Enough to see what kind of thing was given. */
const LONGEST = 120;

export function shownOf({ node, part, ...sample }: Sample, steady: Steady): Shown {
	const { parameters, items } = steady(sample);
	const { description } = nodeNamed(node);
	const choice = choicesOf(description).find((one) => one.part === part);
	const properties = propertiesOf(description).filter((one) => fits(one, choice?.values ?? {}));
	const given = Object.entries(parameters).map(([name, value]) => {
		const property = properties.find((one) => one.name === name);
		if (!property) throw new Error(`${node} ${part} has no parameter "${name}"`);
		return `**${property.displayName}** ${valueOf(property, value)}`;
	});
	return { given: given.join(', '), items };
}

function valueOf(property: INodeProperties, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const option = optionsOf(property).find((one) => one.value === value);
	if (option) return option.name;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return `\`${cell(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)}\``;
}
