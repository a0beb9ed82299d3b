import ts from 'typescript';
import { parseImports, listSources, readText } from './support/imports.mts';

/**
 * A pattern for packages that are too heavy for a unit test: n8n's engine with its parts, and fastify. n8n-workflow is
 * light.
 */
const ENGINE_PATTERN = /^(n8n-core|@n8n\/(di|config|backend-.+)|fastify)(\/|$)/;

/** A pattern for files that start or call the service on this machine. The models of its chains are not included. */
const SERVICE_PATTERN =
	/^(sandbox(?!\/(apis|http\/schemas|turns))|demo)\/|^test\/harness\/(sandbox|sandboxes|setUp)\./;

/** Type imports are not loaded. */
const TYPE_IMPORT_PATTERN = /^(import|export) type [^;]*;/gm;

const unitTests = listSources('test/unit').filter((path) => path.endsWith('.test.mts'));

/** The packages and the files that a file imports. */
interface Loaded {
	readonly packages: readonly string[];
	readonly files: readonly string[];
}

const known = new Map<string, Loaded>();

/** Returns what a file imports. Many tests import the same files, so each file is read only once. */
function findLoaded(file: string): Loaded {
	const loaded = known.get(file) ?? readLoaded(file);
	known.set(file, loaded);
	return loaded;
}

function readLoaded(file: string): Loaded {
	const text = readText(file).replace(TYPE_IMPORT_PATTERN, '');
	const { importedFiles } = ts.preProcessFile(text, true, true);
	const names = importedFiles.map(({ fileName }) => fileName);
	return {
		packages: names.filter((name) => !name.startsWith('.')),
		files: parseImports(text, file).map(({ to }) => to),
	};
}

/** Finds the shortest chain of imports from a file to a file or package that a unit test must not load. */
function findWayToEngine(start: string): string[] {
	const ways = new Map([[start, [start]]]);
	for (const [file, way] of ways) {
		const found = findLoaded(file).packages.find((name) => ENGINE_PATTERN.test(name));
		if (found) return [...way, found];
		if (SERVICE_PATTERN.test(file)) return way;
		if (!/\.m?ts$/.test(file)) continue;
		for (const next of findLoaded(file).files) if (!ways.has(next)) ways.set(next, [...way, next]);
	}
	return [];
}

test('no unit test loads the engine or starts the service, so that all of them run in seconds', () => {
	expect(unitTests.length).toBeGreaterThan(0);
	const starts = [...unitTests, 'test/harness/environment.mts'];
	expect(starts.map(findWayToEngine).filter((way) => way.length > 0)).toEqual([]);
});

test('what does is found, however many files away it is', () => {
	expect(findWayToEngine('test/engine/tonFee.test.mts').at(-1)).toMatch(/n8n|sandbox/);
	expect(findWayToEngine('test/harness/poll.mts')).toEqual(['test/harness/poll.mts', '@n8n/di']);
	expect(findWayToEngine('grpc/test/support/grpcSandbox.mts').at(-1)).toMatch(/n8n|sandbox/);
});
