import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../../../demo/tools/paths.mjs';
import { addressIn } from '../../../scripts/setAddress.mjs';
import { anchorsOf, inRepository, linksIn } from './markdown.mts';

/** Where the documentation of the packages will be, as the editor's links say it. */
const HOME = addressIn(root);
const WITH_LINKS = [
	'*.credentials.ts',
	'*.node.json',
	'package.json',
	'grpc/package.json',
	'signer/package.json',
];
/** Pages that a registry shows, where no other file is beside them. */
const ELSEWHERE = ['grpc/README.md', 'signer/README.md'];

/** What is named and is not there: files, pictures, headings. Other hosts are not asked. */
export async function brokenLinks(): Promise<readonly string[]> {
	const pages = tracked('*.md').flatMap((page) =>
		linksIn(readFileSync(join(root, page), 'utf8'))
			.filter((link) => !leadsSomewhere(page, link))
			.map((link) => `${page}: ${link} leads nowhere`),
	);
	const readme = anchorsOf(readFileSync(join(root, 'README.md'), 'utf8'));
	const editor = tracked(...WITH_LINKS).flatMap((file) =>
		homeLinks(readFileSync(join(root, file), 'utf8'))
			.filter((anchor) => !readme.has(anchor))
			.map((anchor) => `${file}: README.md has no heading for #${anchor}`),
	);
	return [...pages, ...editor, ...tooLarge()];
}

function leadsSomewhere(page: string, link: string): boolean {
	const file = inRepository(link, HOME);
	if (file !== undefined) return isThere('README.md', file);
	if (/^[a-z]+:/i.test(link)) return true;
	return (link.startsWith('#') || !ELSEWHERE.includes(page)) && isThere(page, link);
}

const LARGEST_PICTURE = 150_000;

function tooLarge(): readonly string[] {
	return tracked('*.png', '*.webp')
		.map((file) => ({ file, size: statSync(join(root, file)).size }))
		.filter(({ size }) => size >= LARGEST_PICTURE)
		.map(({ file, size }) => `${file}: ${size} bytes are too many for a picture`);
}

/** What git knows, and what it would know if it were told. */
function tracked(...patterns: readonly string[]): readonly string[] {
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
	const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\n');
	return files.filter((file) => file !== '' && existsSync(join(root, file)));
}

function isThere(page: string, link: string): boolean {
	const [path = '', anchor] = link.split('#');
	const file = path === '' ? page : normalize(join(dirname(page), decodeURI(path)));
	if (file.startsWith('..') || !existsSync(join(root, file))) return false;
	return anchor === undefined || anchorsOf(readFileSync(join(root, file), 'utf8')).has(anchor);
}

function homeLinks(text: string): readonly string[] {
	const links = text.split(`${HOME}#`).slice(1);
	return links.map((rest) => /^[\w-]*/.exec(rest)?.[0] ?? '').filter((one) => one !== 'readme');
}
