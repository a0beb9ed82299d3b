import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFamilies } from '../../demo/examples/families.mts';
import { EXAMPLE_TASKS } from '../../docs/make/pages/examples.mts';

interface Workflow {
	readonly pinData?: unknown;
	readonly tags: ReadonlyArray<{ readonly name: string }>;
	readonly nodes: ReadonlyArray<{
		readonly type: string;
		readonly parameters: {
			readonly content?: string;
			readonly tableName?: string;
			readonly assignments?: {
				readonly assignments: ReadonlyArray<{ readonly name: string; readonly value: unknown }>;
			};
		};
	}>;
}

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

const readWorkflow = (file: string) =>
	JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
const nodesOf = (file: string) => readWorkflow(file).nodes;

const JOBS = EXAMPLE_TASKS.map(([task]) => task);

/** The oldest version of n8n that has a node, by the type of the node. */
const NEEDED: Readonly<Record<string, string>> = {
	'n8n-nodes-base.dataTable': '2.6',
	'@n8n/n8n-nodes-langchain.chatHitlTool': '2.30.8',
};

describe.each(files)('%s', (file) => {
	test('pins nothing: left out, it would be null, at which the editor stumbles', () => {
		expect(readWorkflow(file).pinData).toEqual({});
	});

	test('carries the tags of its families, and that of one job', () => {
		const tags = readWorkflow(file).tags.map(({ name }) => name);
		const families = tags.slice(0, -1);
		expect(families).toEqual(findFamilies(nodesOf(file)));
		expect(JOBS).toContain(tags.at(-1));
		// n8n allows at most 24 characters for a tag.
		for (const tag of tags) expect(tag.length).toBeLessThanOrEqual(24);
	});

	test('does without code', () => {
		const types = nodesOf(file).map(({ type }) => type);
		expect(types.filter((type) => /\.(code|function|functionItem)$/.test(type))).toEqual([]);
	});

	test("explains itself, in n8n's words", () => {
		const notes = nodesOf(file).flatMap(({ parameters }) => parameters.content ?? []);
		expect(notes.length).toBeGreaterThan(0);
		for (const note of notes) expect(note).not.toMatch(/\bactivat/i);
	});

	test('says which n8n it needs, if any does not do', () => {
		const nodes = nodesOf(file);
		const notes = nodes.map(({ parameters }) => parameters.content ?? '').join('\n');
		const said = [...notes.matchAll(/needs n8n ([\d.]+) or newer/g)].map(([, version]) => version);
		const needed = new Set(nodes.flatMap(({ type }) => NEEDED[type] ?? []));
		expect(said).toEqual([...needed]);
	});
});

/**
 * Finds the names of the data tables in an example. They are in the nodes that use the tables, or among the settings.
 */
function findTableNames(file: string): string[] {
	return nodesOf(file).flatMap(({ parameters: { tableName = '', assignments } }) => {
		const settings = assignments?.assignments ?? [];
		const named = settings.filter(({ name }) => name === 'table').map(({ value }) => String(value));
		return tableName === '' || tableName.startsWith('=') ? named : [tableName, ...named];
	});
}

test('no name of a table is part of another: n8n looks at the first name alone that contains it', () => {
	const names = files.flatMap(findTableNames).map((name) => name.toLowerCase());
	expect(names.length).toBeGreaterThan(5);
	const contained = names.filter((name, at) =>
		names.some((other, place) => place !== at && other.includes(name)),
	);
	expect(contained).toEqual([]);
});
