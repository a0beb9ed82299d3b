import ts from 'typescript';
import { importsIn, sourcesIn, textOf } from './support/imports.mts';

/** n8n's engine with all that comes with it; n8n-workflow, which the nodes import, is light. */
const ENGINE = /^(n8n-core|@n8n\/(di|config|backend-.+))(\/|$)/;

/** What starts, or asks for, the service on this machine. */
const SERVICE = /^(sandbox|demo)\/|^test\/harness\/(sandbox|sandboxes|setUp)\./;

const tests = sourcesIn('test/unit').filter((path) => path.endsWith('.test.mts'));

/** The text of a file without what it imports for its types, which is not loaded. */
const loadedIn = (file: string) => textOf(file).replace(/^(import|export) type [^;]*;/gm, '');

const packagesOf = (file: string) =>
	ts
		.preProcessFile(loadedIn(file), true, true)
		.importedFiles.map(({ fileName }) => fileName)
		.filter((name) => !name.startsWith('.'));

const filesOf = (file: string) => importsIn(loadedIn(file), file).map(({ to }) => to);

/** How the first file that is not for a unit test comes to be loaded. */
function wayToEngine(start: string): string[] {
	const ways = new Map([[start, [start]]]);
	for (const [file, way] of ways) {
		const found = packagesOf(file).find((name) => ENGINE.test(name));
		if (found) return [...way, found];
		if (SERVICE.test(file)) return way;
		if (!/\.m?ts$/.test(file)) continue;
		for (const next of filesOf(file)) if (!ways.has(next)) ways.set(next, [...way, next]);
	}
	return [];
}

test('no unit test loads the engine or starts the service, so that all of them run in seconds', () => {
	expect(tests.length).toBeGreaterThan(90);
	const starts = [...tests, 'test/harness/environment.mts'];
	expect(starts.map(wayToEngine).filter((way) => way.length > 0)).toEqual([]);
});

test('what does is found, however many files away it is', () => {
	expect(wayToEngine('test/engine/tonFee.test.mts').at(-1)).toMatch(/n8n|sandbox/);
	expect(wayToEngine('test/harness/poll.mts')).toEqual(['test/harness/poll.mts', '@n8n/di']);
	expect(wayToEngine('grpc/test/support/grpcSandbox.mts').at(-1)).toMatch(/n8n|sandbox/);
});
