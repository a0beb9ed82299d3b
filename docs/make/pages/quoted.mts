import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../tools/paths.mjs';

const SOURCE_FOLDERS = [
	'nodes',
	'credentials',
	'grpc/nodes',
	'grpc/library',
	'grpc/credentials',
	'signer/nodes',
	'signer/rules',
	'signer/credentials',
];
const MESSAGE_HEAD_PATTERN = /^\| message +\|/;

/** Finds messages that the pages quote but no node contains. In a quotation, `…` stands for any text. */
export function findUnsaidMessages(): readonly string[] {
	const code = normalizeText(SOURCE_FOLDERS.flatMap(readSources).join('\n'));
	return listPages().flatMap((page) =>
		getMessages(readFileSync(join(root, page), 'utf8'))
			.filter((message) => !splitMessage(message).every((piece) => code.includes(piece)))
			.map((message) => `${page}: no node says "${message}"`),
	);
}

function listPages(): readonly string[] {
	const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
	return files.filter((file) => file.endsWith('.md')).map((file) => join('docs', file));
}

/** Returns the first cells of the tables that list messages. */
function getMessages(page: string): readonly string[] {
	const tables = page.split(/\n{2,}/).filter((part) => MESSAGE_HEAD_PATTERN.test(part));
	return tables.flatMap((table) =>
		[...table.matchAll(/^\| `([^`]+)`/gm)].map(([, message = '']) => message),
	);
}

function splitMessage(message: string): readonly string[] {
	return message.split('…').map((piece) => normalizeText(piece).trim());
}

/** Brings a message into one form, so that line breaks and escapes in the code do not matter. */
function normalizeText(text: string): string {
	return text.replaceAll("\\'", "'").replace(/\s+/g, ' ');
}

function readSources(folder: string): readonly string[] {
	const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
	return files
		.filter((file) => /\.m?ts$/.test(file))
		.map((file) => readFileSync(join(root, folder, file), 'utf8'));
}
