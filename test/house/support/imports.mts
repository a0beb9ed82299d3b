import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript';

export interface Import {
	/** The importing file, as a path from the root of the repository. `to` is the imported file in the same form. */
	readonly from: string;
	readonly to: string;
}

const root = join(__dirname, '..', '..', '..');
const isSource = (name: string) => /\.m?[tj]s$/.test(name);
const toRepositoryPath = (path: string) => relative(root, path).split(sep).join('/');

/** Lists the source files in a folder and its subfolders, as paths from the root of the repository. */
export function listSources(folder: string): string[] {
	const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
	return entries
		.filter((entry) => entry.isFile() && isSource(entry.name))
		.map(({ parentPath, name }) => toRepositoryPath(join(parentPath, name)))
		.filter((path) => !path.split('/').includes('node_modules'))
		.sort();
}

export function readText(path: string): string {
	return readFileSync(join(root, path), 'utf8');
}

/** Reads the imports of a file. Imports of types are included. */
export function readImports(from: string): Import[] {
	return parseImports(readText(from), from);
}

/** Parses the imports of a text as if the text were the content of the given file. */
export function parseImports(text: string, from: string): Import[] {
	const file = join(root, from);
	const { importedFiles } = ts.preProcessFile(text, true, true);
	const own = importedFiles.filter(({ fileName }) => fileName.startsWith('.'));
	return own.map(({ fileName }) => ({
		from,
		to: toRepositoryPath(resolveImport(join(dirname(file), fileName))),
	}));
}

function resolveImport(path: string): string {
	const candidates = ['', '.ts', '.mts', '.mjs', '.d.mts', '/index.ts'].map((end) => path + end);
	const found = candidates.find((one) => existsSync(one) && statSync(one).isFile());
	if (!found) throw new Error(`No file is imported by ${toRepositoryPath(path)}`);
	return found;
}

/** Finds the first circle of imports. Returns the files along it, or an empty list if there is no circle. */
export function findCircle(imports: readonly Import[]): string[] {
	const done = new Set<string>();

	function search(file: string, way: readonly string[]): string[] {
		const at = way.indexOf(file);
		if (at >= 0) return [...way.slice(at), file];
		if (done.has(file)) return [];
		for (const { to } of imports.filter(({ from }) => from === file)) {
			const circle = search(to, [...way, file]);
			if (circle.length > 0) return circle;
		}
		done.add(file);
		return [];
	}

	for (const { from } of imports) {
		const circle = search(from, []);
		if (circle.length > 0) return circle;
	}
	return [];
}
