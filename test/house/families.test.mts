import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FAMILIES, type Family } from '../../nodes/core/values/families';
import { readText } from './support/imports.mts';

/** The page is the one list of what a family has; a cell that begins with a dash says why it has none. */
const PAGE = 'docs/families.md';

interface Step {
	readonly name: string;
	readonly cells: ReadonlyMap<string, string>;
}

/** Reads the rows of a table, in which the first cell is its name. */
function readRows(markdown: string): Step[] {
	const rows = markdown
		.split('\n')
		.filter((line) => line.startsWith('| '))
		.map((line) =>
			line
				.slice(1, -1)
				.split('|')
				.map((cell) => cell.trim()),
		);
	const [head = [], ...steps] = rows.filter(([first = '']) => !/^-+$/.test(first));
	return steps.map((row) => ({
		name: unquote(row[0]),
		cells: new Map(head.map((column, at) => [column, row[at] ?? ''])),
	}));
}

const unquote = (cell = '') => cell.replace(/^`(.*)`$/, '$1');

const ROOT = join(__dirname, '..', '..');

/** The file of a step, or all files of its folder. */
function findFiles(step: string, family: Family): string[] {
	const path = step === 'effects' ? `signer/rules/${family}` : `nodes/core/${family}/${step}`;
	if (existsSync(join(ROOT, `${path}.ts`))) return [`${path}.ts`];
	const isFolder = existsSync(join(ROOT, path)) && statSync(join(ROOT, path)).isDirectory();
	return isFolder ? readdirSync(join(ROOT, path)).map((name) => `${path}/${name}`) : [];
}

const exportsOf = (files: readonly string[]) =>
	files.flatMap((file) =>
		[...readText(file).matchAll(/^export (?:async )?(?:function\*?|const|class) (\w+)/gm)].map(
			([, name]) => name,
		),
	);

/** The table of steps is written by hand; a list of the files is made of the tree. */
const [handWritten = '', , files = ''] = readText(PAGE).split('<!-- made:');
const STEPS = readRows(handWritten);

/** Each family has files here. */
const PLACES = [
	'nodes',
	'nodes/core',
	'signer/rules',
	'signer/nodes/core',
	'signer/nodes/Pay/families',
	'sandbox/apis',
	'docs/nodes',
	'test/cases',
	'test/engine',
	'test/unit',
];

test.each(PLACES)('each family has files in %s', (place) => {
	const cells = readRows(files).find(({ name }) => name === place)?.cells;
	for (const family of FAMILIES)
		expect([family, cells?.get(family)]).toEqual([family, expect.stringContaining('`')]);
});

test('the page lists the steps of each family', () => {
	expect(STEPS.map(({ name }) => name)).toEqual(
		expect.arrayContaining(['address', 'prepare', 'send', 'wait', 'follow', 'effects']),
	);
	for (const { cells } of STEPS)
		expect([...cells.keys()]).toEqual(expect.arrayContaining([...FAMILIES]));
});

describe.each(FAMILIES)('the family %s', (family) => {
	test.each(STEPS)('$name: is done under this name, or the page says why there is none', (step) => {
		const cell = step.cells.get(family) ?? '';
		const files = findFiles(step.name, family);
		if (/^– \w/.test(cell)) expect(files).toEqual([]);
		else expect(exportsOf(files)).toContain(unquote(cell));
	});
});
