import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const MAX_SENTENCE_WORDS = 25;
const MAX_LINE_CHARS = 160;
const MAX_CELL_WORDS = 20;

/** The long sentences, lines and table cells of a page. Each entry begins with its line number. */
export interface HeavyProse {
	readonly sentences: readonly string[];
	readonly lines: readonly string[];
	readonly cells: readonly string[];
}

/** Finds long sentences, lines and table cells in a page. Code and generated parts are left out. */
export function findHeavyProse(page: string): HeavyProse {
	const written = leaveOut(page, [/```[^]*?```/g, /<!-- made: [^]*?<!-- end -->/g, /<[^>]*>/g]);
	const lines = written.split('\n').map((line, index) => ({ text: line.trim(), at: index + 1 }));
	const rows = lines.filter(({ text }) => text.startsWith('|'));
	const prose = lines.filter(({ text }) => !text.startsWith('|'));
	return {
		sentences: findParagraphs(prose).flatMap(({ text, at }) =>
			splitSentences(text)
				.filter((sentence) => countWords(sentence) > MAX_SENTENCE_WORDS)
				.map((sentence) => `${at}: ${countWords(sentence)} words: ${sentence.slice(0, 60)} …`),
		),
		lines: prose
			.filter(({ text }) => text.length > MAX_LINE_CHARS)
			.map(({ text, at }) => `${at}: ${text.length} characters`),
		cells: rows.flatMap(({ text, at }) =>
			text
				.split('|')
				.filter((cell) => countWords(cell) > MAX_CELL_WORDS)
				.map((cell) => `${at}: ${countWords(cell)} words: ${cell.trim().slice(0, 60)} …`),
		),
	};
}

/** Removes text from a page but keeps its line breaks, so that line numbers stay correct. */
function leaveOut(page: string, patterns: readonly RegExp[]): string {
	const blank = (text: string) => text.replace(/[^\n]/g, '');
	return patterns.reduce((left, pattern) => left.replace(pattern, blank), page);
}

interface Placed {
	readonly text: string;
	readonly at: number;
}

/** Joins the lines of each paragraph. A list item, a heading or an empty line ends a paragraph. */
function findParagraphs(lines: readonly Placed[]): Placed[] {
	const paragraphs: Placed[] = [];
	let isOpen = false;
	for (const line of lines) {
		const isNew = !isOpen || /^([-*#>]|\d+\.) ?/.test(line.text);
		const last = paragraphs.at(-1);
		if (line.text === '') isOpen = false;
		else if (isNew || !last) paragraphs.push(line);
		else paragraphs[paragraphs.length - 1] = { ...last, text: `${last.text} ${line.text}` };
		isOpen = line.text !== '' && !line.text.startsWith('#');
	}
	return paragraphs;
}

function splitSentences(paragraph: string): string[] {
	return paragraph.split(/(?<=[.?!:;][*_)"]*)\s+(?=["*_([]*[A-Z`0-9])/);
}

/** Counts the words of a text. A link counts by its text, and an amount or a piece of code as one word. */
function countWords(text: string): number {
	const spoken = text.replace(/`[^`]*`/g, 'code').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
	return spoken.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
}

const FOLDERS = ['', 'docs', 'docs/jobs', 'docs/nodes', 'grpc', 'signer', 'sandbox'];
/** The pages that are not checked, because people look up single entries in them instead of reading them. */
const UNCOUNTED = /\b(CHANGELOG|LICENSE)\.md$/;

/** Counts the long sentences, lines and cells of each page, the worst page first. Those in the README are problems. */
export async function reviewProse(root: string): Promise<{ report: string[]; problems: string[] }> {
	const files = await findPages(root);
	const pages = await Promise.all(files.map(async (file) => await readPage(root, file)));
	const counted = pages
		.map(({ file, heavy }) => ({ file, heavy, total: Object.values(heavy).flat().length }))
		.filter(({ total }) => total > 0)
		.sort((one, other) => other.total - one.total);
	return {
		report: counted.map(
			({ file, heavy }) =>
				`${file}: ${heavy.sentences.length} sentences above ${MAX_SENTENCE_WORDS} words, ${heavy.lines.length} lines above ${MAX_LINE_CHARS} characters, ${heavy.cells.length} cells above ${MAX_CELL_WORDS} words`,
		),
		problems: pages
			.filter(({ file }) => file === 'README.md')
			.flatMap(({ file, heavy }) =>
				Object.values(heavy)
					.flat()
					.map((found) => `${file}:${found}`),
			),
	};
}

async function findPages(root: string): Promise<string[]> {
	const found = await Promise.all(
		FOLDERS.map(async (folder) =>
			(await readdir(join(root, folder))).map((file) => join(folder, file)),
		),
	);
	return found.flat().filter((file) => file.endsWith('.md') && !UNCOUNTED.test(file));
}

async function readPage(root: string, file: string) {
	return { file, heavy: findHeavyProse(await readFile(join(root, file), 'utf8')) };
}
