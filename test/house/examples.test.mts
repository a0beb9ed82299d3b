import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Workflow {
	readonly nodes: ReadonlyArray<{
		readonly type: string;
		readonly parameters: { readonly content?: string };
	}>;
}

const folder = join(__dirname, '..', '..', 'examples');
const files = readdirSync(folder).filter((file) => file.endsWith('.json'));

const nodesOf = (file: string) =>
	(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow).nodes;

describe.each(files)('%s', (file) => {
	test('does without code', () => {
		const types = nodesOf(file).map(({ type }) => type);
		expect(types.filter((type) => /\.(code|function|functionItem)$/.test(type))).toEqual([]);
	});

	test("explains itself, in n8n's words", () => {
		const notes = nodesOf(file).flatMap(({ parameters }) => parameters.content ?? []);
		expect(notes.length).toBeGreaterThan(0);
		for (const note of notes) expect(note).not.toMatch(/\bactivat/i);
	});
});
