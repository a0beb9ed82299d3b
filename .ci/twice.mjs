// Runs a script of package.json with tests, and repeats those that failed. A test that passes the second time is flaky: it
// does not fail the run, but it is named, and kept for the closing lines. In `.ci/run all`, a test that is skipped has failed.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const kept = join(root, '.cache', 'ci');
/** With more failures than these, chance is no explanation. */
const MAX_RERUN_FAILURES = 20;
const FAILURES = process.env.ALL_CASES ? ['failed', 'pending', 'todo'] : ['failed'];

const [script] = process.argv.slice(2);
const run = {
	test: runJest,
	'test:faults': runJest,
	'test:foreign': runJest,
	'test:e2e': runNodeTests,
	'test:e2e:basics': runNodeTests,
	'test:queue': runNodeTests,
	bench: runBench,
}[script];

const first = run(1);
const second = isWorthwhile(first) ? run(2, first.failures) : first;
const flaky = first.failures.filter((name) => !second.failures.includes(name));
if (second.isGood) {
	for (const name of flaky) {
		console.log(`== flaky: ${name}`);
		appendFileSync(join(kept, 'flaky.txt'), `${script}: ${name}\n`);
	}
}
process.exitCode = second.isGood ? 0 : 1;

function isWorthwhile({ isGood, failures }) {
	return !isGood && failures.length > 0 && failures.length <= MAX_RERUN_FAILURES;
}

/** Runs all tests, or only the files of those that failed. */
function runJest(attempt, again = []) {
	const report = join(kept, `${script.replace(':', '-')}-${attempt}.json`);
	const files = new Set(again.map((name) => name.split(' › ')[0]));
	const chosen = again.length > 0 ? ['--runTestsByPath', ...files] : [];
	const isGood = runScript('--json', '--outputFile', report, ...chosen);
	const failures = existsSync(report) ? parseFailures(report) : [];
	return { isGood: isGood && failures.length === 0, failures };
}

function parseFailures(report) {
	const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
	return testResults.flatMap(({ name, status, assertionResults }) => {
		const file = relative(root, name);
		const failed = assertionResults.filter((one) => FAILURES.includes(one.status));
		if (status === 'failed' && failed.length === 0) return [file];
		return failed.map(({ fullName }) => `${file} › ${fullName}`);
	});
}

/** Runs all tests every time: they share one n8n, and the last one checks what the others left behind. */
function runNodeTests(attempt) {
	const list = join(root, '.cache', 'e2e', 'failed.txt');
	rmSync(list, { force: true });
	const isGood = runScript();
	const failures = existsSync(list) ? readFileSync(list, 'utf8').split('\n').filter(Boolean) : [];
	if (!isGood) keepTraces(attempt);
	return { isGood: isGood && failures.length === 0, failures };
}

/** It can only be repeated as a whole. */
function runBench() {
	const isGood = runScript('--short');
	return { isGood, failures: isGood ? [] : ['bench'] };
}

/** Moves the traces away, so that the next attempt begins with an empty folder. */
function keepTraces(attempt) {
	const name = script === 'test:queue' ? 'queue' : 'e2e';
	const from = join(root, '.cache', name);
	const folder = join(kept, `${name}-${attempt}`);
	for (const what of ['screenshots', join('data', 'n8n.log')]) {
		if (existsSync(join(from, what)))
			cpSync(join(from, what), join(folder, what), { recursive: true });
	}
	console.log(`== screenshots and the log of n8n are kept in ${folder}`);
}

function runScript(...options) {
	const { status } = spawnSync('npm', ['run', '--silent', script, '--', ...options], {
		cwd: root,
		stdio: ['ignore', 'inherit', 'inherit'],
	});
	return status === 0;
}
