import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
const getUrl = (file: string) => JSON.stringify(pathToFileURL(join(root, 'tools', file)).href);
const isRoot = process.getuid?.() === 0;
let folder: string;
let programs: Program[];

beforeEach(() => {
	programs = [];
	folder = mkdtempSync(join(tmpdir(), 'locks-'));
	chmodSync(folder, 0o755);
});
afterEach(async () => {
	await Promise.all(programs.map(kill));
	rmSync(folder, { recursive: true, force: true });
});

const spawnProgram = (options: readonly string[]) =>
	spawn(process.execPath, options, {
		cwd: root,
		env: { ...process.env, CHAIN_INFRA_DATA: folder },
		stdio: ['pipe', 'pipe', 'inherit'],
	});

type Program = ReturnType<typeof spawnProgram>;

function start(options: readonly string[]): Program {
	const program = spawnProgram(options);
	programs.push(program);
	return program;
}

async function kill(program: Program): Promise<void> {
	program.kill('SIGKILL');
	program.stdout.resume();
	if (!program.stdout.closed) await once(program, 'close');
}

/**
 * Starts a program that locks the demo's data, prints whether it succeeded, and keeps the lock until its stdin ends.
 */
const startDemo = (before = '') =>
	start([
		'--input-type=module',
		'-e',
		`const { lockData } = await import(${getUrl('dataLock.mjs')});
		${before}
		try {
			await lockData();
			console.log('locked');
			process.stdin.on('end', () => process.exit()).resume();
		} catch (error) {
			console.log(error.constructor.name + ': ' + error.message);
			process.exit();
		}`,
	]);

/**
 * Starts the program as a user who may not write to the folder. Root may write anywhere, so it becomes another user.
 */
const startForeignDemo = () =>
	startDemo(isRoot ? 'process.setgroups([]); process.setgid(65534); process.setuid(65534);' : '');

async function readLine(demo: Program): Promise<string> {
	const [line] = (await once(demo.stdout.setEncoding('utf8'), 'data')) as [string];
	return line.trim();
}

/** Ends the stdin of the program, and returns what it has printed. */
async function readOutput(demo: Program): Promise<string> {
	demo.stdin.end();
	return (await text(demo.stdout)).trim();
}

const running = (pid?: number) =>
	`UserError: The demo is already running, as process ${pid}: stop it first.`;

describe("another owner's data", () => {
	const lock = (path: string) => chmodSync(path, isRoot ? 0o755 : 0o555);
	const foreign = (path: string) =>
		`UserError: ${path} cannot be written to (EACCES): the demo's data belongs to another user. ` +
		`Make ${folder} yours, remove it, or name another folder in CHAIN_INFRA_DATA.`;

	test('is refused in words', async () => {
		lock(folder);
		expect(await readOutput(startForeignDemo())).toBe(foreign(folder));
	});

	test('is refused where only what n8n keeps in it is theirs', async () => {
		const n8n = join(folder, 'node_modules', 'n8n', '.n8n');
		mkdirSync(n8n, { recursive: true });
		for (const path of ['', 'node_modules', 'node_modules/n8n']) {
			chmodSync(join(folder, path), 0o777);
		}
		lock(n8n);
		expect(await readOutput(startForeignDemo())).toBe(foreign(n8n));
	});

	test('is in use while their demo runs', async () => {
		const theirs = startDemo();
		expect(await readLine(theirs)).toBe('locked');
		expect(await readOutput(startForeignDemo())).toBe(running(theirs.pid));
	});

	test('is no trouble where it may be written to', async () => {
		chmodSync(folder, 0o777);
		expect(await readOutput(startForeignDemo())).toBe('locked');
	});
});

test('of two demos that start at the same time, one has the data', async () => {
	const demos = [startDemo(), startDemo()];
	const lines = await Promise.all(demos.map(readLine));
	const winner = demos[lines.indexOf('locked')];
	expect(lines.sort()).toEqual([running(winner?.pid), 'locked']);
});

test('a demo that was killed has no data', async () => {
	const killed = startDemo();
	expect(await readLine(killed)).toBe('locked');
	await kill(killed);
	expect(await readOutput(startDemo())).toBe('locked');
});

test('a demo that does not answer has its data still', async () => {
	const demo = startDemo();
	expect(await readLine(demo)).toBe('locked');
	demo.kill('SIGSTOP');
	expect(await readOutput(startDemo())).toMatch(/^UserError: .* as a process that listens on port/);
});

test.each([
	['npm start', ['demo/start.mjs']],
	['npm run reset', ['demo/reset.mjs']],
	['npm run docs -- --pictures', ['--import', 'tsx', 'docs/make/main.mts', '--pictures']],
	['npm run bench', ['--import', 'tsx', 'bench/main.mts']],
])('%s ends with words, not with a stack, where the demo runs', async (_, options) => {
	const demo = startDemo();
	expect(await readLine(demo)).toBe('locked');
	const env = { ...process.env, CHAIN_INFRA_DATA: folder };
	const { stdout, stderr } = spawnSync(process.execPath, options, {
		cwd: root,
		env,
		encoding: 'utf8',
	});
	const lines = (stdout + stderr).trim().split('\n');
	expect(`UserError: ${lines.at(-1)}`).toBe(running(demo.pid));
	expect(lines.filter((line) => /^\s+at |Error/.test(line))).toEqual([]);
});

test('what no two processes may do at once, they do one after another', async () => {
	const startJob = (job: string) =>
		start([
			'--input-type=module',
			'-e',
			`import { once } from 'node:events';
			import { setTimeout } from 'node:timers/promises';
			import { withLock } from ${getUrl('folderLock.mjs')};
			await withLock(${JSON.stringify(folder)}, async () => { ${job} });
			process.exit();`,
		]);
	const first = startJob("console.log('at it'); await once(process.stdin.resume(), 'end');");
	expect(await readLine(first)).toBe('at it');
	const order = join(folder, 'order');
	const write = (word: string) =>
		`(await import('node:fs')).appendFileSync(${JSON.stringify(order)}, '${word} ');`;
	const others = [1, 2].map(() => startJob(`${write('in')} await setTimeout(50); ${write('out')}`));
	const waiting = `process ${first.pid} does this already; this process waits for it`;
	expect(await Promise.all(others.map(readLine))).toEqual([waiting, waiting]);
	first.stdin.end();
	await Promise.all(others.map(async (other) => await once(other, 'close')));
	expect(readFileSync(order, 'utf8')).toBe('in out in out ');
});
