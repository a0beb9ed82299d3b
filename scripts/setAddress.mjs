// This script replaces the address of the documentation in all links: `node scripts/setAddress.mjs https://…`.
// The present address is `homepage` in package.json. With `--check`, the script fails while the address is still
// example.com.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ADDRESS_PLACES = [
	'package.json',
	'README.md',
	'CHANGELOG.md',
	'CONTRIBUTING.md',
	'SECURITY.md',
	'docs',
	'credentials',
	'nodes',
	'examples',
	...['grpc', 'signer'].flatMap((folder) =>
		['package.json', 'README.md', 'credentials', 'nodes'].map((place) => `${folder}/${place}`),
	),
];
const TEXT_FILE_PATTERN = /\.(json|md|ts)$/;

export function getAddress(root) {
	const { homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	return homepage.replace(/#.*$/, '');
}

export function isPlaceholder(address) {
	return /(^|\.)example\.com$/.test(new URL(address).hostname);
}

/** Returns the changed files. */
export function setAddress(root, given) {
	const address = parseAddress(given);
	const present = getAddress(root);
	const files = ADDRESS_PLACES.flatMap((place) => listFiles(join(root, place)));
	const changed = files.filter((file) => readFileSync(file, 'utf8').includes(present));
	for (const file of changed) {
		writeFileSync(file, readFileSync(file, 'utf8').replaceAll(present, address));
	}
	return changed;
}

function parseAddress(given) {
	const address = String(given ?? '').replace(/\/+$/, '');
	const isAddress = /^https:\/\/[^\s"'<>`$\\?#]+$/.test(address) && URL.canParse(address);
	if (!isAddress) throw new Error('Give an address that begins with https:// and has no ? or #');
	return address;
}

function listFiles(place) {
	if (!existsSync(place)) return [];
	if (statSync(place).isFile()) return [place];
	return readdirSync(place, { recursive: true })
		.filter((name) => TEXT_FILE_PATTERN.test(name))
		.map((name) => join(place, name));
}

function main(given) {
	const root = join(import.meta.dirname, '..');
	if (given !== '--check') {
		const changed = setAddress(root, given);
		console.log(`${changed.length} files lead to ${getAddress(root)} now`);
	} else if (isPlaceholder(getAddress(root))) {
		console.error(
			'The documentation has no address yet: set it with node scripts/setAddress.mjs https://…',
		);
		process.exitCode = 1;
	}
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv[2]);
