import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from '../../../tools/paths.mjs';
import { getAddress } from '../../../scripts/setAddress.mjs';
import { getAnchors, getRepositoryPath, getLinks } from './markdown.mts';

/** The address of the documentation that links in the editor begin with. */
const HOME_ADDRESS = getAddress(root);
const FILES_WITH_LINKS = [
	'*.credentials.ts',
	'*.node.json',
	'package.json',
	'grpc/package.json',
	'signer/package.json',
];
const MANIFESTS = [
	'package.json',
	'demo/package.json',
	'sandbox/package.json',
	'grpc/package.json',
	'signer/package.json',
];
/** The pages that registries show alone, without the other files of the repository. */
const REGISTRY_PAGES = ['grpc/README.md', 'signer/README.md'];

/** Finds links to missing files, pictures and headings. Links to other hosts are not checked. */
export async function findBrokenLinks(): Promise<readonly string[]> {
	const pages = listTracked('*.md').flatMap((page) =>
		getLinks(readFileSync(join(root, page), 'utf8'))
			.filter((link) => !leadsSomewhere(page, link))
			.map((link) => `${page}: ${link} leads nowhere`),
	);
	const readme = getAnchors(readFileSync(join(root, 'README.md'), 'utf8'));
	const editor = listTracked(...FILES_WITH_LINKS).flatMap((file) =>
		getHomeLinks(readFileSync(join(root, file), 'utf8'))
			.filter((anchor) => !readme.has(anchor))
			.map((anchor) => `${file}: README.md has no heading for #${anchor}`),
	);
	return [...pages, ...editor, ...findMissingScripts(), ...findLargePictures()];
}

/** Finds commands on the pages, such as `npm run docs`, for which no package has a script. */
function findMissingScripts(): readonly string[] {
	const scripts = MANIFESTS.flatMap((file) => {
		const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as { scripts?: object };
		return Object.keys(manifest.scripts ?? {});
	});
	return listTracked('*.md').flatMap((page) =>
		[...readFileSync(join(root, page), 'utf8').matchAll(/\bnpm run ([\w:]+)/g)]
			.filter(([, name = '']) => !scripts.includes(name))
			.map(([command]) => `${page}: no package has the script of "${command}"`),
	);
}

function leadsSomewhere(page: string, link: string): boolean {
	const file = getRepositoryPath(link, HOME_ADDRESS);
	if (file !== undefined) return exists('README.md', file);
	if (/^[a-z]+:/i.test(link)) return true;
	return (link.startsWith('#') || !REGISTRY_PAGES.includes(page)) && exists(page, link);
}

const MAX_PICTURE_BYTES = 150_000;

function findLargePictures(): readonly string[] {
	return listTracked('*.png', '*.webp')
		.map((file) => ({ file, size: statSync(join(root, file)).size }))
		.filter(({ size }) => size >= MAX_PICTURE_BYTES)
		.map(({ file, size }) => `${file}: ${size} bytes are too many for a picture`);
}

/** Lists the files that git tracks, and new files that it does not ignore. */
function listTracked(...patterns: readonly string[]): readonly string[] {
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...patterns];
	const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\n');
	return files.filter((file) => file !== '' && existsSync(join(root, file)));
}

function exists(page: string, link: string): boolean {
	const [path = '', anchor] = link.split('#');
	const file = path === '' ? page : normalize(join(dirname(page), decodeURI(path)));
	if (file.startsWith('..') || !existsSync(join(root, file))) return false;
	return anchor === undefined || getAnchors(readFileSync(join(root, file), 'utf8')).has(anchor);
}

function getHomeLinks(text: string): readonly string[] {
	const links = text.split(`${HOME_ADDRESS}#`).slice(1);
	return links.map((rest) => /^[\w-]*/.exec(rest)?.[0] ?? '').filter((one) => one !== 'readme');
}
