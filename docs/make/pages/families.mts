import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { FAMILY_NAMES, type Family } from '../../../nodes/core/values/families';
import { root } from '../../../tools/paths.mjs';

/** The folders in which file names contain the family of chains. */
const AREAS = ['nodes', 'signer', 'sandbox', 'demo', 'examples', 'docs/nodes', 'test'];
const IGNORED_PATTERN = /(^|\/)(node_modules|dist|__schema__|\.\w+)(\/|$)/;

/** Makes the generated parts of docs/families.md from the files of the repository. */
export function makeFamilyParts(): Readonly<Record<string, string>> {
	const paths = AREAS.flatMap(listFiles);
	const sources = paths.filter((path) => path.endsWith('.ts'));
	return { tables: formatTables(sources), files: formatFiles(paths) };
}

function listFiles(folder: string): string[] {
	return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name).slice(root.length).split(sep).join('/'))
		.filter((path) => !IGNORED_PATTERN.test(path))
		.toSorted();
}

interface Named {
	/** The folder above the first part of the path that names a family. */
	readonly folder: string;
	/** The part of the file name that contains the family, such as `ton/` or `ton*`. */
	readonly name: string;
}

/** Finds the first part of a path that has the name of the family as one of its words. */
function findNamed(path: string, family: Family): Named | undefined {
	const capital = `${family.charAt(0).toUpperCase()}${family.slice(1)}`;
	const word = new RegExp(`(?:(?<![a-zA-Z])${family}|${capital})(?![a-z])`);
	const parts = path.split('/');
	const at = parts.findIndex((part) => word.test(part));
	const part = parts[at];
	if (part === undefined) return undefined;
	const end = part.search(word) + family.length;
	const isFolder = at < parts.length - 1 && part.length === end;
	return {
		folder: parts.slice(0, at).join('/'),
		name: `${part.slice(0, end)}${isFolder ? '/' : '*'}`,
	};
}

/** Formats a table of files, with a row for each folder and a column for each family. */
function formatFiles(paths: readonly string[]): string {
	const rows = new Map<string, Map<Family, Set<string>>>();
	for (const path of paths) {
		for (const family of FAMILY_NAMES) {
			const named = findNamed(path, family);
			if (!named) continue;
			const row = rows.get(named.folder) ?? new Map<Family, Set<string>>();
			rows.set(named.folder, row.set(family, (row.get(family) ?? new Set()).add(named.name)));
		}
	}
	const formatCell = (names: ReadonlySet<string> = new Set()) =>
		names.size === 0 ? '–' : [...names].map((name) => `\`${name}\``).join(', ');
	return formatTable(
		['folder', ...FAMILY_NAMES],
		[...rows].map(([folder, row]) => [
			`\`${folder}\``,
			...FAMILY_NAMES.map((family) => formatCell(row.get(family))),
		]),
	);
}

/** A pattern for a constant that must have an entry for each family to compile, with the comment above it. */
const TABLE_PATTERN =
	/^(?:\/\*\* ([^\n]*) \*\/\n)?(?:export )?const (\w+)(?:: [^=;]*?(?:Record<\w*Family,|in PreparedKind\])| = \{\n(?:\t[^\n]*\n)*\} as const satisfies [^\n]*Record<Family,)/gm;

function formatTables(sources: readonly string[]): string {
	const rows = sources.flatMap((path) =>
		[...readFileSync(join(root, path), 'utf8').matchAll(TABLE_PATTERN)].map(
			([, about = '', name]) => [`\`${name}\``, `\`${path}\``, about],
		),
	);
	return formatTable(['table', 'file', 'what it says of each family'], rows);
}

function formatTable(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const lines = [head, head.map(() => '-'), ...rows];
	return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
