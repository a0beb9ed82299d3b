import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..', '..');
const CACHE_FOLDER = join(root, '.cache', 'test');
let folder: string;

beforeEach(() => {
	mkdirSync(CACHE_FOLDER, { recursive: true });
	folder = mkdtempSync(join(CACHE_FOLDER, 'realm-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeFile = (name: string, content: string) => writeFileSync(join(folder, name), content);

/** Runs the same test file twice in one process, and returns the outcome. */
function runTwice(content: string): string {
	const harness = (name: string) => join(root, 'test', 'harness', name);
	const config = {
		rootDir: folder,
		testEnvironment: harness('realm.cjs'),
		runtime: harness('runtime.cjs'),
		transform: {},
	};
	writeFile('own.js', 'module.exports = { seen: 0 };');
	writeFile('one.test.js', content);
	writeFile('two.test.js', content);
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const { stdout, stderr } = spawnSync(
		process.execPath,
		[jest, '--config', JSON.stringify(config), '--runInBand'],
		{ cwd: folder, encoding: 'utf8', env: { ...process.env, JEST_WORKER_ID: undefined } },
	);
	return stdout + stderr;
}

test('what a test file changes in the globals, the process or its environment is undone before the next one', () => {
	const said = runTwice(`
		const now = () => [
			process.env.LEFT, process.env.HOME, typeof process.exit, new Date(0).getTime(), JSON.stringify([1]),
			fetch.name, typeof __coverage__, globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')],
			Object.keys(expect).includes('toBeLeft'), setTimeout.clock === undefined, Date.now() > 1e12,
		];
		const home = process.env.HOME;
		const first = [undefined, home, 'function', 0, '[1]', 'fetch', 'undefined', undefined, false, true, true];
		test('finds all as it was', () => {
			expect(now()).toEqual(first);
			expect(home).not.toBe('nowhere');
			Object.assign(process.env, { LEFT: '1', HOME: 'nowhere' });
			process.exit = undefined;
			globalThis.fetch = () => {};
			globalThis.__coverage__ = {};
			jest.spyOn(JSON, 'stringify').mockReturnValue('');
			jest.useFakeTimers({ now: 5 });
			jest.setTimeout(50_000);
			expect.extend({ toBeLeft: () => ({ pass: true }) });
			delete globalThis.Date;
		});`);
	expect(said).toMatch(/Tests: +2 passed/);
});

test('a package is loaded once for all test files, what is of this repository for each anew', () => {
	const counts = join(folder, 'counts');
	const said = runTwice(`
		const shared = require(${JSON.stringify(require.resolve('lodash'))});
		const own = require('./own.js');
		test('counts', () => {
			shared.seen = (shared.seen ?? 0) + 1;
			own.seen++;
			const list = shared.chunk([1, 2]) instanceof Array;
			require('node:fs').appendFileSync(${JSON.stringify(counts)}, [own.seen, shared.seen, list] + ' ');
		});`);
	expect(said).toMatch(/Tests: +2 passed/);
	expect(readFileSync(counts, 'utf8')).toBe('1,1,true 1,2,true ');
});
