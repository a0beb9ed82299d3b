import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFigures } from '../../bench/readme.mts';
import type { INodeTypeDescription } from 'n8n-workflow';
import { buildRows } from '../../docs/make/engine/parameters.mts';
import { formatExamplesByTask } from '../../docs/make/pages/examples.mts';
import { getAnchors, getRepositoryPath, getLinks } from '../../docs/make/pages/markdown.mts';
import { fillPage } from '../../docs/make/pages/markers.mts';

const root = join(__dirname, '..', '..');

describe('the made parts of a page', () => {
	const page = 'A\n<!-- made: one -->\nold\n<!-- end -->\nB\n<!-- made: two -->\n<!-- end -->\nC';

	test('stand between their markers, and nothing else changes', () => {
		const { text, problems } = fillPage(page, { one: 'first $&', two: 'second' });
		expect(problems).toEqual([]);
		expect(text).toBe(
			'A\n<!-- made: one -->\n\nfirst $&\n\n<!-- end -->\nB\n<!-- made: two -->\n\nsecond\n\n<!-- end -->\nC',
		);
	});

	test('are missed where a page has no place for them, and where it wants what is not made', () => {
		expect(fillPage(page, { one: '1', three: '3' }).problems).toEqual([
			'nothing is made for "two"',
			'it has no <!-- made: three --> … <!-- end -->',
		]);
	});

	test('stand there once', () => {
		expect(fillPage(page + page, { one: '1', two: '2' }).problems).toEqual([
			'"one" is there twice',
			'"two" is there twice',
		]);
	});
});

test('the parameters of a page are those of the newest version', () => {
	const limit = { displayName: 'Limit', name: 'limit', type: 'number', default: 50 };
	const of = (...versions: number[]) => ({ displayOptions: { show: { '@version': versions } } });
	const both = [
		{ ...limit, ...of(1) },
		{ ...limit, ...of(2), default: 100 },
	];
	const more = { displayName: 'Options', name: 'options', type: 'collection', default: {} };
	const description = {
		version: [1, 2],
		properties: [...both, { ...more, options: both }],
	} as unknown as INodeTypeDescription;
	const choice = { part: 'node', title: '', description: '', values: {} };
	expect(buildRows(description, choice).map(([name, , usual]) => [name, usual])).toEqual([
		['Limit', '`100`'],
		['Options → Limit', '`100`'],
	]);
});

describe('the examples', () => {
	const folder = join(__dirname, '..', '..', 'examples');

	test('are listed by task: compactly in the README, with what they do in the recipes', async () => {
		const { short, full } = await formatExamplesByTask(folder);
		expect(short.split('\n').length).toBeLessThanOrEqual(10);
		expect(getLinks(short).length).toBeGreaterThanOrEqual(22);
		expect(getLinks(full)).toEqual(getLinks(short).map((link) => `../${link}`));
		for (const line of full.split('\n').filter((one) => one.startsWith('- ['))) {
			expect(line).toMatch(/\.json\): .{30,}[.?!]$/);
		}
	});

	test('are each in one task', async () => {
		const made = formatExamplesByTask(folder, [
			['Watch', ['token-transfers', 'gone']],
			['Read', ['token-transfers']],
		]);
		await expect(made).rejects.toThrow(
			/pay-a-list has no task; .*gone does not exist; token-transfers has two tasks$/,
		);
	});
});

describe('links', () => {
	test('are those of text, pictures and HTML, not those of code', () => {
		const page = [
			'[a](a.md#b) ![p](p.png "Title") `[no](no.md)`',
			'<img src="c.png"> <source srcset="d.png">',
			'```\n[no](no.md)\n```',
		].join('\n');
		expect(getLinks(page)).toEqual(['a.md#b', 'p.png', 'c.png', 'd.png']);
	});

	test('name headings as addresses spell them', () => {
		const page =
			'# One & two\n## `npm run docs`, again\n### Chain Node X-Token API\n```\n# none\n```';
		expect([...getAnchors(page)]).toEqual([
			'one--two',
			'npm-run-docs-again',
			'chain-node-x-token-api',
		]);
	});
});

test.each([
	['https://docs.example.org/chain', 'README.md'],
	['https://docs.example.org/chain#nodes', 'README.md#nodes'],
	['https://docs.example.org/chain/blob/HEAD/docs/a.md#b', 'docs/a.md#b'],
	['https://docs.example.org/chain/raw/HEAD/docs/pictures/a.png', 'docs/pictures/a.png'],
	['https://docs.example.org/chains', undefined],
	['docs/a.md', undefined],
])('the link %s leads to %p', (link, file) => {
	expect(getRepositoryPath(link, 'https://docs.example.org/chain')).toBe(file);
});

/** What programs make. */
const MADE = /^(\.cache|\.demo|dist)\//;
/** A path is said from the root, or from the core. */
const PLACES = ['', 'nodes', 'nodes/core'];
const ENDINGS = ['', '.ts', '.mts', '.test.mts', '.mjs', '.cjs'];

test.each(['AGENTS.md', 'CONTRIBUTING.md', 'docs/decisions.md'])(
	'%s names files that exist',
	(file) => {
		const text = readFileSync(join(root, file), 'utf8');
		const paths = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)+)`/g)].map(([, path]) => path!);
		const missing = paths
			.filter((path) => !MADE.test(path))
			.filter((path) =>
				PLACES.every((place) => ENDINGS.every((end) => !existsSync(join(root, place, path + end)))),
			);
		expect(paths.length).toBeGreaterThan(3);
		expect(missing).toEqual([]);
	},
);

test('the README can be read in one go', () => {
	const lines = readFileSync(join(root, 'README.md'), 'utf8').trimEnd().split('\n');
	expect(lines.length).toBeLessThan(150);
});

describe('the figures of the README', () => {
	const row = (work: string, ours: number, theirs: number, unit = 'ms') => ({
		work,
		unit,
		rounds: 3,
		medians: { ours, 'HTTP Request, predefined': theirs },
	});
	const rows = [
		row('1,000 blocks by expression, 25 ms away', 500, 4000),
		row('200 pages of 100 projects, 25 ms away', 800, 8000),
		row('A file of 512 MB', 1000, 1900),
		row('A file of 512 MB: memory over idle', 40, 80, 'MB'),
	];
	const readme = 'A\n<!-- figures -->\nnone yet\n<!-- /figures -->\nB';

	test('take the place between their markers', () => {
		const text = withFigures(readme, rows);
		expect(text).toMatch(/^A\n<!-- figures -->\n\n\| work/);
		expect(text).toContain('| A file of 512 MB: memory over idle | 40 MB | 80 MB | 2 × |');
		expect(text).not.toContain('none yet');
		expect(withFigures(text, rows)).toBe(text);
	});

	test('are those of a whole run', () => {
		expect(() => withFigures(readme, rows.slice(1))).toThrow('was not measured');
		expect(() => withFigures('A', rows)).toThrow('no place');
	});
});
