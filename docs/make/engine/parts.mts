import type { INodeTypeDescription } from 'n8n-workflow';
import { choicesOf, type Choice } from './choices.mts';
import { rowsOf, type Row } from './parameters.mts';
import type { Shown } from './sample.mts';
import { table } from './words.mts';

/** What is made for a page, by the names in its markers. */
export type Parts = Readonly<Record<string, string>>;

const HEAD = ['parameter', 'type', 'default', 'meaning'];

/** A part for each operation or event, and `common` for the parameters that all of them share. */
export function partsOf(
	description: INodeTypeDescription,
	samples: ReadonlyMap<string, Shown>,
): Parts {
	const choices = choicesOf(description);
	const rows = new Map(choices.map((choice) => [choice.part, rowsOf(description, choice)]));
	const shared = choices.length > 1 ? sharedBy([...rows.values()]) : [];
	const isOwn = (row: Row) => !shared.some((other) => isSame(other, row));
	const hasTitles = choices.length > 1;
	const entries = choices.map((choice) => {
		const own = (rows.get(choice.part) ?? []).filter(isOwn);
		const body = part(choice, own, sampleOf(description.name, choice, samples));
		return [choice.part, hasTitles ? `### ${choice.title}\n\n${body}` : body] as const;
	});
	const common: Parts = shared.length > 0 ? { common: table(HEAD, shared) } : {};
	return { ...common, ...Object.fromEntries(entries) };
}

function sharedBy([first = [], ...others]: ReadonlyArray<readonly Row[]>): readonly Row[] {
	return first.filter((row) => others.every((rows) => rows.some((other) => isSame(other, row))));
}

function isSame(one: Row, other: Row): boolean {
	return one.every((cell, index) => cell === other[index]);
}

function sampleOf(node: string, { part: name }: Choice, samples: ReadonlyMap<string, Shown>) {
	const shown = samples.get(name);
	if (!shown) throw new Error(`${node}: "${name}" has no sample in docs/make/engine/samples`);
	return shown;
}

function part({ description }: Choice, own: readonly Row[], { given, items }: Shown): string {
	const [first] = items;
	return [
		/[.!?]$/.test(description) ? description : `${description}.`,
		own.length > 0 ? table(HEAD, own) : '',
		outcome(given, items.length),
		`\`\`\`json\n${JSON.stringify(first, null, '\t')}\n\`\`\``,
	]
		.filter(Boolean)
		.join('\n\n');
}

function outcome(given: string, count: number): string {
	const what = count > 1 ? `${count} items come out. The first one` : 'This comes out';
	const words = given ? `For ${given}, ${what[0]?.toLowerCase()}${what.slice(1)}` : what;
	return `${words}:`;
}
