import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
const dataLock = pathToFileURL(join(root, 'tools', 'dataLock.mjs')).href;
const isRoot = process.getuid?.() === 0;
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'claim-'));
	chmodSync(folder, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Locks the data as a user who may not write to what is here: as another user, if this one may write anywhere. */
function claimed(data = folder, { before = '', after = '' } = {}): string {
	const script = `
		import fs from 'node:fs';
		import { syncBuiltinESMExports } from 'node:module';
		const { lockData } = await import(${JSON.stringify(dataLock)});
		if (${isRoot}) {
			process.setgroups([]);
			process.setgid(65534);
			process.setuid(65534);
		}
		${before}
		syncBuiltinESMExports();
		try {
			lockData();
			${after}
			console.log('claimed');
		} catch (error) {
			console.log(error.constructor.name + ': ' + error.message);
		}`;
	return printed(['--input-type=module', '-e', script], data).trim();
}

function printed(options: readonly string[], data: string): string {
	const env = { ...process.env, CHAIN_INFRA_DATA: data };
	const { stdout, stderr } = spawnSync(process.execPath, options, {
		cwd: root,
		env,
		encoding: 'utf8',
	});
	return stdout + stderr;
}

const locked = (path: string) => chmodSync(path, isRoot ? 0o755 : 0o555);
const foreign = (path: string) =>
	`UserError: ${path} cannot be written to (EACCES): the demo's data belongs to another user. ` +
	`Make ${folder} yours, remove it, or name another folder in CHAIN_INFRA_DATA.`;

describe("another owner's data", () => {
	test('is refused in words', () => {
		locked(folder);
		expect(claimed()).toBe(foreign(folder));
	});

	test('is refused where only what n8n keeps in it is theirs', () => {
		const n8n = join(folder, 'node_modules', 'n8n', '.n8n');
		mkdirSync(n8n, { recursive: true });
		chmodSync(folder, 0o777);
		chmodSync(join(folder, 'node_modules'), 0o777);
		chmodSync(join(folder, 'node_modules', 'n8n'), 0o777);
		locked(n8n);
		expect(claimed()).toBe(foreign(n8n));
	});

	test('is in use while their demo runs', () => {
		writeFileSync(join(folder, 'running'), String(process.pid));
		const words = `UserError: The demo is already running, as process ${process.pid}: stop it first.`;
		expect(claimed()).toBe(words);
	});

	test('is no trouble where it may be written to', () => {
		chmodSync(folder, 0o777);
		expect(claimed()).toBe('claimed');
	});
});

describe('of two that begin at the same time', () => {
	const running = () => join(folder, 'running');
	const comes = () => `fs.writeFileSync(${JSON.stringify(running())}, String(process.ppid));`;
	beforeEach(() => chmodSync(folder, 0o777));

	test('one has the data', () => {
		const before = `fs.accessSync = () => { ${comes()} };`;
		expect(claimed(folder, { before })).toBe(
			`UserError: The demo is already running, as process ${process.pid}: stop it first.`,
		);
	});

	test('the end of one does not end the claim of the other', () => {
		expect(claimed(folder, { after: comes() })).toBe('claimed');
		expect(readFileSync(running(), 'utf8')).toBe(String(process.pid));
	});

	test('one that was killed does not count, whoever has its number now', () => {
		writeFileSync(running(), `${process.pid} another-boot 1`);
		chmodSync(running(), 0o666);
		expect(claimed()).toBe('claimed');
	});
});

test.each([
	['npm start', ['demo/start.mjs']],
	['npm run reset', ['demo/reset.mjs']],
	['npm run docs -- --pictures', ['--import', 'tsx', 'docs/make/main.mts', '--pictures']],
	['npm run bench', ['--import', 'tsx', 'bench/main.mts']],
])('%s ends with words, not with a stack, where the demo cannot have its data', (_, options) => {
	writeFileSync(join(folder, 'running'), String(process.pid));
	const lines = printed(options, folder).trim().split('\n');
	expect(lines.at(-1)).toBe(
		`The demo is already running, as process ${process.pid}: stop it first.`,
	);
	expect(lines.filter((line) => /^\s+at |Error/.test(line))).toEqual([]);
});
