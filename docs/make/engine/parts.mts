import type { INodeTypeDescription } from 'n8n-workflow';
import { getChoices, type Choice } from './choices.mts';
import { buildRows, type ParameterRow } from './parameters.mts';
import type { ShownSample } from './sample.mts';
import { formatTable, wrapText } from './words.mts';

/** The generated parts of a page. Each key is the name in a marker of the page. */
export type Parts = Readonly<Record<string, string>>;

const TABLE_HEAD = ['parameter', 'type', 'default', 'meaning'];

/** Builds a part for each operation or event. The part `common` has the parameters that all of them share. */
export function buildParts(
	description: INodeTypeDescription,
	samples: ReadonlyMap<string, ShownSample>,
): Parts {
	const choices = getChoices(description);
	const rows = new Map(choices.map((choice) => [choice.part, buildRows(description, choice)]));
	const shared = choices.length > 1 ? findShared([...rows.values()]) : [];
	const isOwn = (row: ParameterRow) => !shared.some((other) => isSameRow(other, row));
	const hasTitles = choices.length > 1;
	const entries = choices.map((choice) => {
		const own = (rows.get(choice.part) ?? []).filter(isOwn);
		const body = formatPart(choice, own, getSample(description.name, choice, samples));
		return [choice.part, hasTitles ? `### ${choice.title}\n\n${body}` : body] as const;
	});
	const common: Parts = shared.length > 0 ? { common: formatTable(TABLE_HEAD, shared) } : {};
	return { ...common, ...Object.fromEntries(entries) };
}

function findShared([first = [], ...others]: ReadonlyArray<
	readonly ParameterRow[]
>): readonly ParameterRow[] {
	// Of equal rows, only the first is kept.
	const different = first.filter(
		(row, index) => first.findIndex((other) => isSameRow(other, row)) === index,
	);
	return different.filter((row) =>
		others.every((rows) => rows.some((other) => isSameRow(other, row))),
	);
}

function isSameRow(one: ParameterRow, other: ParameterRow): boolean {
	return one.every((cell, index) => cell === other[index]);
}

function getSample(
	node: string,
	{ part: name }: Choice,
	samples: ReadonlyMap<string, ShownSample>,
) {
	const shown = samples.get(name);
	if (!shown)
		throw new Error(
			`${node}: "${name}" has no case in test/cases and no sample in docs/make/engine/samples`,
		);
	return shown;
}

function formatPart(
	{ description }: Choice,
	own: readonly ParameterRow[],
	{ given, items }: ShownSample,
): string {
	const [first] = items;
	return [
		wrapText(/[.!?]$/.test(description) ? description : `${description}.`),
		own.length > 0 ? formatTable(TABLE_HEAD, own) : '',
		formatOutcome(given, items.length),
		`\`\`\`json\n${JSON.stringify(first, null, '\t')}\n\`\`\``,
	]
		.filter(Boolean)
		.join('\n\n');
}

function formatOutcome(given: string, count: number): string {
	const what = count > 1 ? `${count} items come out. The first one` : 'This comes out';
	const words = given ? `For ${given}, ${what[0]?.toLowerCase()}${what.slice(1)}` : what;
	return wrapText(`${words}:`);
}
