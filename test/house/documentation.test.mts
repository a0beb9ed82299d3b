import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatExamplesByTask } from '../../docs/make/pages/examples.mts';
import { findHeavyProse } from '../../docs/make/pages/prose.mts';
import { getAnchors, getRepositoryPath, getLinks } from '../../docs/make/pages/markdown.mts';
import { fillPage } from '../../docs/make/pages/markers.mts';

const root = join(__dirname, '..', '..');

test('no page shows how JavaScript writes an object', () => {
	const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
	const texts = pages
		.filter((page) => page.endsWith('.md'))
		.filter((page) => readFileSync(join(root, 'docs', page), 'utf8').includes('[object '));
	expect(texts).toEqual([]);
});

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

describe('the examples', () => {
	const folder = join(__dirname, '..', '..', 'examples');

	test('are listed by task in the recipes, with what they do', async () => {
		const recipes = await formatExamplesByTask(folder);
		const whole = recipes.replace(/\n {2}/g, ' ');
		const lines = whole.split('\n').filter((one) => one.startsWith('- ['));
		expect(lines).toHaveLength(readdirSync(folder).length);
		for (const line of lines) {
			expect(line).toMatch(/^- \[.+\]\(\.\.\/examples\/[\w-]+\.json\): .{30,}[.?!]$/);
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

/** Paths that programs create. */
const MADE = /^(\.cache|\.demo|dist)\//;
/** The folders and the file endings that pages leave out when they name a file. */
const PLACES = ['', 'nodes', 'nodes/core'];
const ENDINGS = ['', '.ts', '.mts', '.test.mts', '.all.mts', '.mjs', '.cjs'];

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

describe('prose', () => {
	const LONG = `Word ${'word '.repeat(25).trim()}.`;

	test('is heavy by its sentences, lines and cells', () => {
		const page = ['Short.', `A. ${LONG}`, '', `| a | ${'b '.repeat(21)}|`].join('\n');
		const { sentences, lines, cells } = findHeavyProse(page);
		expect(sentences).toEqual([expect.stringMatching(/^1: 26 words: Word word/)]);
		expect(lines).toEqual([]);
		expect(cells).toEqual([expect.stringMatching(/^4: 21 words: b b/)]);
		expect(findHeavyProse('x'.repeat(161)).lines).toEqual(['1: 161 characters']);
	});

	test('leaves out code, what is made of the code, and the addresses of links', () => {
		const link = `[one](${'a'.repeat(100)})`;
		const page = ['```', LONG, '```', '<!-- made: x -->', LONG, '<!-- end -->', link].join('\n');
		expect(findHeavyProse(page)).toEqual({ sentences: [], lines: [], cells: [] });
	});

	test('goes on in the next line, and ends with an entry of a list', () => {
		const half = 'word '.repeat(13).trim();
		expect(findHeavyProse(`${half}\n${half}`).sentences).toHaveLength(1);
		expect(findHeavyProse(`- ${half}\n- ${half}`).sentences).toHaveLength(0);
	});
});
