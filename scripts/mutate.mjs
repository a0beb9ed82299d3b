// Changes a line of the source at random and sees whether a test notices, one place after another, in a copy.
//   npm run mutate -- --seed 7 --places 20        the same places again for a seed, as long as their lines are the same
//   npm run mutate -- --only nodes/core/transport/rpc  in some files only
//   npm run mutate -- --list                      the places, without running anything
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';
import { findMutations } from './mutations.mjs';

const { values } = parseArgs({
	options: {
		seed: { type: 'string', default: String(Date.now() % 1_000_000) },
		places: { type: 'string', default: '20' },
		only: { type: 'string', default: '' },
		list: { type: 'boolean', default: false },
	},
});

const SOURCE_PATTERN = /^(nodes|grpc\/(nodes|library)|signer\/(nodes|library|rules))\/.*\.m?ts$/;
/** n8n shows these files; it does not run them. */
const DRAWN_PATTERN = /\.node\.ts$|\/fields\.ts$|\.d\.m?ts$/;
/** How many test files are run; those in n8n's engine only if the others have noticed nothing, and more if these have not either. */
const MAX_TEST_FILES = { unit: 5, engine: 3, more: 8 };
/** Tests of functions need no sandbox. */
const UNIT_CONFIG = `
import { project, settings } from './jest.config.mjs';
const { globalSetup, globalTeardown, ...others } = project;
export default { ...settings, ...others, testMatch: ['**/test/unit/**/*.test.mts'] };
`;
/** A test that runs for this long has noticed that something never ends. */
const MAX_RUN_MS = 300_000;

/** The running tests. */
let running;

const root = join(import.meta.dirname, '..');
const files = listFiles().filter((file) => existsSync(join(root, file)));
const importers = findImporters(files);
const usesSandbox = collectImporters('test/harness/sandbox.mts');
const places = choosePlaces(Number(values.places));

console.log(`Seed ${values.seed}, ${places.length} places`);
if (values.list) for (const place of places) console.log(formatPlace(place));
else await tryInCopy();

function listFiles() {
	const options = ['ls-files', '--cached', '--others', '--exclude-standard'];
	return spawnSync('git', options, { cwd: root, encoding: 'utf8' }).stdout.trim().split('\n');
}

/** Chooses by a hash of the text, so that a change elsewhere does not choose others. */
function choosePlaces(count) {
	const sources = files.filter((file) => SOURCE_PATTERN.test(file) && !DRAWN_PATTERN.test(file));
	const all = sources
		.filter((file) => file.startsWith(values.only))
		.flatMap((file) => {
			const text = readFileSync(join(root, file), 'utf8');
			return findMutations(text).map((mutation) => buildPlace(file, text, mutation));
		});
	return all.sort((a, b) => (a.rank < b.rank ? -1 : 1)).slice(0, count);
}

function buildPlace(file, text, mutation) {
	const { from, to, replacement, kind } = mutation;
	const begin = text.lastIndexOf('\n', from - 1) + 1;
	const end = text.indexOf('\n', to);
	const before = text.slice(begin, end);
	const after = text.slice(begin, from) + replacement + text.slice(to, end);
	const mutated = text.slice(0, from) + replacement + text.slice(to);
	const key = [values.seed, file, kind, from - begin, before].join('\n');
	const rank = createHash('sha256').update(key).digest('hex');
	return { ...mutation, file, before, after, text, mutated, rank };
}

function formatPlace({ file, line, kind, before, after }) {
	const short = (code) => code.trim().replace(/\s+/g, ' ').slice(0, 160);
	return `${file}:${line} (${kind})\n    - ${short(before)}\n    + ${short(after)}`;
}

/** Finds the files that import each file at run time. */
function findImporters(all) {
	const found = new Map();
	for (const file of all.filter((one) => /\.m?ts$/.test(one))) {
		const text = readFileSync(join(root, file), 'utf8').replace(/^import type [^;]+;/gm, '');
		for (const { fileName } of ts.preProcessFile(text, true, true).importedFiles) {
			const path = join(dirname(file), fileName);
			const target = [path, `${path}.ts`, `${path}.mts`].find((one) => all.includes(one));
			if (target) found.set(target, [...(found.get(target) ?? []), file]);
		}
	}
	return found;
}

/** Finds the tests that import a file: first those whose names have most in common with it, then the nearest. */
function findTests(file) {
	const tests = [...collectImporters(file)].filter((one) => one.endsWith('.test.mts'));
	const words = new Set(getWords(file));
	const common = (one) => getWords(one).filter((word) => words.has(word)).length;
	const own = tests.sort((a, b) => common(b) - common(a));
	const isEngine = (one) => usesSandbox.has(one) || !one.startsWith('test/unit/');
	const engine = own.filter(isEngine);
	const { unit, engine: few, more } = MAX_TEST_FILES;
	return [
		{ tests: own.filter((one) => !isEngine(one)).slice(0, unit), isUnit: true },
		{ tests: engine.slice(0, few), isUnit: false },
		{ tests: engine.slice(few, few + more), isUnit: false },
	].filter(({ tests: some }) => some.length > 0);
}

function getWords(file) {
	const words = file.replace(/\.\w+$/, '').match(/[A-Z]?[a-z]+/g) ?? [];
	const every = ['nodes', 'core', 'test', 'unit', 'engine', 'grpc'];
	const plain = words.map((word) => word.toLowerCase().replace(/s$/, ''));
	return plain.filter((word) => !every.includes(word));
}

/** Collects the direct and indirect importers of a file, the nearest first. */
function collectImporters(file) {
	const reached = new Set([file]);
	for (const one of reached) for (const other of importers.get(one) ?? []) reached.add(other);
	return reached;
}

async function tryInCopy() {
	const copy = copySource();
	const leave = (code) => {
		running?.kill('SIGKILL');
		rmSync(copy, { recursive: true, force: true });
		process.exit(code);
	};
	for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => leave(130));
	try {
		await tryPlaces(copy);
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
}

async function tryPlaces(copy) {
	let killed = 0;
	const sound = new Map();
	for (const place of places) {
		writeFileSync(join(copy, place.file), place.mutated);
		const noticed = await findNoticingTest(copy, place.file);
		writeFileSync(join(copy, place.file), place.text);
		// A test that fails without the change has noticed nothing.
		if (noticed?.test && !sound.has(noticed.test)) {
			const tests = [noticed.test];
			sound.set(noticed.test, !(await findFailedTest(copy, { ...noticed, tests })));
		}
		const isKilled = noticed && sound.get(noticed.test) !== false;
		if (isKilled) killed++;
		const how = isKilled ? `killed by ${noticed.test ?? 'its time'}` : 'SURVIVED';
		console.log(`${formatPlace(place)}\n    ${how}`);
	}
	for (const [test, isSound] of sound) if (!isSound) console.log(`Fails unchanged: ${test}`);
	const share = Math.round((100 * killed) / Math.max(places.length, 1));
	console.log(`Seed ${values.seed}: ${killed} of ${places.length} killed, ${share} %`);
}

/** Copies the source with the same packages, so that an interrupted run leaves no change behind. */
function copySource() {
	const copy = mkdtempSync(join(tmpdir(), 'mutate-'));
	for (const file of files) {
		mkdirSync(join(copy, dirname(file)), { recursive: true });
		cpSync(join(root, file), join(copy, file));
	}
	const shared = ['', 'grpc', 'sandbox', 'signer'].map((folder) => join(folder, 'node_modules'));
	for (const folder of shared.filter((one) => existsSync(join(root, one)))) {
		symlinkSync(join(root, folder), join(copy, folder));
	}
	writeFileSync(join(copy, 'unit.config.mjs'), UNIT_CONFIG);
	const contracts = join('.cache', 'contracts');
	if (existsSync(join(root, contracts))) {
		cpSync(join(root, contracts), join(copy, contracts), { recursive: true });
	}
	return copy;
}

async function findNoticingTest(copy, file) {
	for (const some of findTests(file)) {
		const failed = await findFailedTest(copy, some);
		if (failed) return failed;
	}
	return undefined;
}

/** Finds the first failing test file; undefined if the tests do not end. */
async function findFailedTest(copy, { tests, isUnit }) {
	const config = join(copy, isUnit ? 'unit.config.mjs' : 'jest.config.mjs');
	const jest = join(root, 'node_modules', 'jest', 'bin', 'jest.js');
	const options = ['--config', config, '--runInBand', '--bail', '--silent', '--runTestsByPath'];
	running = spawn(process.execPath, [jest, ...options, ...tests], {
		cwd: copy,
		stdio: ['ignore', 'ignore', 'pipe'],
		env: { ...process.env, ...(isUnit && { FEW_CASES: '1' }) },
		timeout: MAX_RUN_MS,
		killSignal: 'SIGKILL',
	});
	let said = '';
	running.stderr.on('data', (part) => (said += part));
	const [code, signal] = await once(running, 'close');
	if (code === 0) return undefined;
	if (signal === 'SIGKILL') return {};
	const [, test] = /^FAIL (\S+)/m.exec(said) ?? [];
	if (!test) throw new Error(`Jest failed without a failed test:\n${said}`);
	return { test, isUnit };
}
