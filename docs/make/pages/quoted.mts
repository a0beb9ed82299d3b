import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../demo/tools/paths.mjs';

const SOURCES = [
	'nodes',
	'credentials',
	'grpc/nodes',
	'grpc/library',
	'grpc/credentials',
	'signer/nodes',
	'signer/rules',
	'signer/credentials',
];
const HEAD = /^\| message +\|/;

/** Messages that pages quote, and that no node says. `…` stands for what differs. */
export function unsaid(): readonly string[] {
	const code = words(SOURCES.flatMap(sourcesIn).join('\n'));
	return pages().flatMap((page) =>
		messagesIn(readFileSync(join(root, page), 'utf8'))
			.filter((message) => !piecesOf(message).every((piece) => code.includes(piece)))
			.map((message) => `${page}: no node says "${message}"`),
	);
}

function pages(): readonly string[] {
	const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
	return files.filter((file) => file.endsWith('.md')).map((file) => join('docs', file));
}

/** The first cells of the tables of messages. */
function messagesIn(page: string): readonly string[] {
	const tables = page.split(/\n{2,}/).filter((part) => HEAD.test(part));
	return tables.flatMap((table) =>
		[...table.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message),
	);
}

function piecesOf(message: string): readonly string[] {
	return message.split('…').map((piece) => words(piece).trim());
}

/** As it is said, however the code writes it down. */
function words(text: string): string {
	return text.replaceAll("\\'", "'").replace(/\s+/g, ' ');
}

function sourcesIn(folder: string): readonly string[] {
	const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
	return files
		.filter((file) => /\.m?ts$/.test(file))
		.map((file) => readFileSync(join(root, folder, file), 'utf8'));
}
