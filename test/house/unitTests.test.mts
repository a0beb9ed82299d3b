import ts from 'typescript';
import { parseImports, listSources, readText } from './support/imports.mts';

/** Matches n8n's engine with everything that it loads; n8n-workflow, which the nodes import, is light. */
const ENGINE_PATTERN = /^(n8n-core|@n8n\/(di|config|backend-.+))(\/|$)/;

/** Matches files that start, or call, the service on this machine. */
const SERVICE_PATTERN = /^(sandbox|demo)\/|^test\/harness\/(sandbox|sandboxes|setUp)\./;

const unitTests = listSources('test/unit').filter((path) => path.endsWith('.test.mts'));

/** Returns the text of a file without its type imports, which are not loaded. */
const getLoadedText = (file: string) =>
	readText(file).replace(/^(import|export) type [^;]*;/gm, '');

const getPackages = (file: string) =>
	ts
		.preProcessFile(getLoadedText(file), true, true)
		.importedFiles.map(({ fileName }) => fileName)
		.filter((name) => !name.startsWith('.'));

const getFiles = (file: string) => parseImports(getLoadedText(file), file).map(({ to }) => to);

/** Finds the chain of imports that loads the first file that is not for a unit test. */
function findWayToEngine(start: string): string[] {
	const ways = new Map([[start, [start]]]);
	for (const [file, way] of ways) {
		const found = getPackages(file).find((name) => ENGINE_PATTERN.test(name));
		if (found) return [...way, found];
		if (SERVICE_PATTERN.test(file)) return way;
		if (!/\.m?ts$/.test(file)) continue;
		for (const next of getFiles(file)) if (!ways.has(next)) ways.set(next, [...way, next]);
	}
	return [];
}

test('no unit test loads the engine or starts the service, so that all of them run in seconds', () => {
	expect(unitTests.length).toBeGreaterThan(90);
	const starts = [...unitTests, 'test/harness/environment.mts'];
	expect(starts.map(findWayToEngine).filter((way) => way.length > 0)).toEqual([]);
});

test('what does is found, however many files away it is', () => {
	expect(findWayToEngine('test/engine/tonFee.test.mts').at(-1)).toMatch(/n8n|sandbox/);
	expect(findWayToEngine('test/harness/poll.mts')).toEqual(['test/harness/poll.mts', '@n8n/di']);
	expect(findWayToEngine('grpc/test/support/grpcSandbox.mts').at(-1)).toMatch(/n8n|sandbox/);
});
