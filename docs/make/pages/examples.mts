import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../../demo/tools/paths.mjs';
import { cell, table } from '../engine/words.mts';

interface Example {
	readonly name: string;
	readonly nodes: ReadonlyArray<{
		readonly type: string;
		readonly parameters: { readonly content?: string };
	}>;
}

/** Every workflow of examples/, with what its sticky note says first. */
export async function examplesTable(): Promise<string> {
	const files = (await readdir(join(root, 'examples'))).filter((file) => file.endsWith('.json'));
	const rows = await Promise.all(files.sort().map(row));
	return table(['workflow', 'what it does'], rows);
}

async function row(file: string): Promise<readonly string[]> {
	const example = JSON.parse(await readFile(join(root, 'examples', file), 'utf8')) as Example;
	return [`[${cell(example.name)}](examples/${file})`, cell(aboutOf(example, file))];
}

const ENOUGH = 70;

/** The first sentence below the heading of the note, and the next one where that says little. */
function aboutOf({ nodes }: Example, file: string): string {
	const note = nodes.find(({ type }) => type.endsWith('.stickyNote'))?.parameters.content ?? '';
	const [about = ''] = note
		.split('\n')
		.filter((line) => line.trim() !== '' && !line.startsWith('#'));
	const [first, second] = about.split(/(?<=[.?!])\s+/);
	if (!first) throw new Error(`examples/${file} has no sticky note that says what it does`);
	return first.length < ENOUGH && second ? `${first} ${second}` : first;
}
