// Runs tests, and repeats those that failed. A test that passes the second time is flaky: it does not fail the run,
// but it is named, and kept for the closing lines.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const kept = join(root, '.cache', 'ci');
/** With more failures than these, chance is no explanation. */
const MAX_RERUN_FAILURES = 20;

const [kind, ...given] = process.argv.slice(2);
const run = {
	tests: runUnitTests,
	attacks: runUnitTests,
	e2e: (attempt) => runEndToEnd('test:e2e', attempt),
	quick: (attempt) => runEndToEnd('test:e2e:quick', attempt),
	faults: () => runScript('test:faults'),
	foreign: () => runScript('test:foreign'),
	queue: () => runScript('test:queue'),
	bench: () => runScript('bench', '--', '--short'),
}[kind];

const first = run(1);
const second = isWorthwhile(first) ? run(2, first.failures) : first;
const flaky = first.failures.filter((name) => !second.failures.includes(name));
if (second.isGood) {
	for (const name of flaky) {
		console.log(`== flaky: ${name}`);
		appendFileSync(join(kept, 'flaky.txt'), `${kind}: ${name}\n`);
	}
}
process.exitCode = second.isGood ? 0 : 1;

function isWorthwhile({ isGood, failures }) {
	return !isGood && failures.length > 0 && failures.length <= MAX_RERUN_FAILURES;
}

/** Runs all tests, or only the files of those that failed. */
function runUnitTests(attempt, again) {
	const report = join(kept, `${kind}-${attempt}.json`);
	const options = ['--json', '--outputFile', report];
	const files = new Set(again?.map((name) => name.split(' › ')[0]));
	const isGood = again
		? runCommand('npx', ['jest', ...options, '--runTestsByPath', ...files])
		: runCommand('npm', ['test', '--silent', '--', ...options, ...given]);
	return { isGood, failures: existsSync(report) ? parseFailures(report) : [] };
}

function parseFailures(report) {
	const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
	return testResults.flatMap(({ name, status, assertionResults }) => {
		const file = relative(root, name);
		const failed = assertionResults.filter((one) => one.status === 'failed');
		if (status === 'failed' && failed.length === 0) return [file];
		return failed.map(({ fullName }) => `${file} › ${fullName}`);
	});
}

/** Runs all tests every time: they share one n8n, and the last one checks what the others left behind. */
function runEndToEnd(script, attempt) {
	const isGood = runCommand('npm', ['run', '--silent', script]);
	const list = join(root, '.cache', 'e2e', 'failed.txt');
	const failures = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
	if (!isGood) keepTraces(attempt);
	return { isGood, failures };
}

/** Runs a script that can only be repeated as a whole. */
function runScript(...options) {
	const isGood = runCommand('npm', ['run', '--silent', ...options]);
	return { isGood, failures: isGood ? [] : [options.join(' ')] };
}

/** Moves the traces away, so that the next attempt begins with an empty folder. */
function keepTraces(attempt) {
	const e2e = join(root, '.cache', 'e2e');
	const folder = join(kept, `e2e-${attempt}`);
	for (const what of ['screenshots', join('data', 'n8n.log')]) {
		if (existsSync(join(e2e, what)))
			cpSync(join(e2e, what), join(folder, what), { recursive: true });
	}
	console.log(`== screenshots and the log of n8n are kept in ${folder}`);
}

function runCommand(name, options) {
	return (
		spawnSync(name, options, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0
	);
}
