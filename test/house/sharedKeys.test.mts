import { listSources, readText } from './support/imports.mts';

const DEFINITION = 'nodes/core/net/pacing/shared.ts';
const sources = [
	'nodes',
	'grpc/nodes',
	'grpc/library',
	'signer/nodes',
	'signer/rules',
	'signer/library',
].flatMap(listSources);

/** A pattern for the declaration of a shared key whose name is a literal text. */
const DECLARATION =
	/^(?:export )?const [A-Z][A-Z_]*(?:: [^=]+)? = sharedKey\(\s*'([a-z]\w*\.\w+)',/gm;
const CALL = /\bsharedKey\b\s*[(<]/g;

function listNames(text: string): string[] {
	const names = [...text.matchAll(DECLARATION)].map(([, name]) => name ?? '');
	const calls = text.match(CALL) ?? [];
	if (names.length !== calls.length)
		throw new Error(`A shared key is no constant of its file:\n${text}`);
	return names;
}

test('what is shared is declared once, as a constant with a name of its own', () => {
	const names = sources
		.filter((path) => path !== DEFINITION)
		.flatMap((path) => listNames(readText(path)));
	expect(names).toContain('evm.purses');
	expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test.each([
	'\treturn shared(sharedKey("evm.purses", createPurses));',
	"\tconst PURSES = sharedKey('evm.purses', createPurses);",
	'const PURSES = sharedKey(NAME, createPurses);',
	"const PURSES = sharedKey<Purses>('evm.purses', createPurses);",
	"const KEYS = [sharedKey('evm.purses', createPurses)];",
])('%s is no such declaration', (text) => {
	expect(() => listNames(text)).toThrow('is no constant of its file');
});
