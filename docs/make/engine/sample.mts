import type { IDataObject, INodeParameters, INodeProperties } from 'n8n-workflow';
import { getChoices, isShownFor, getOptions } from './choices.mts';
import { getNode } from '../../../test/harness/nodes.mts';
import type { Stabilize } from './steady.mts';
import { escapeCell } from './words.mts';

/** A run of a node, with its parameters and its output. */
export interface Sample {
	readonly node: string;
	/** The operation or event, as it is named in the markers of the page. */
	readonly part: string;
	/** The parameters without those that choose the operation. */
	readonly parameters: INodeParameters;
	readonly items: readonly IDataObject[];
}

/** A sample in Markdown, as a page shows it. */
export interface ShownSample {
	readonly given: string;
	readonly items: readonly IDataObject[];
}

/** Longer values are cut on the pages, because the beginning of a value shows what kind of value it is. */
const MAX_VALUE_CHARS = 120;

export function formatSample({ node, part, ...sample }: Sample, steady: Stabilize): ShownSample {
	const { parameters, items } = steady(sample);
	const { description } = getNode(node);
	const choice = getChoices(description).find((one) => one.part === part);
	const properties = description.properties.filter((one) => isShownFor(one, choice?.values ?? {}));
	const given = Object.entries(parameters).map(([name, value]) => {
		const property = properties.find((one) => one.name === name);
		if (!property) throw new Error(`${node} ${part} has no parameter "${name}"`);
		return `**${property.displayName}** ${formatValue(property, value)}`;
	});
	return { given: given.join(', '), items };
}

function formatValue(property: INodeProperties, value: unknown): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	const option = getOptions(property).find((one) => one.value === value);
	if (option) return option.name;
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return `\`${escapeCell(text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text)}\``;
}
