import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import grpcManifest from '../../grpc/package.json';
import manifest from '../../package.json';
import signerManifest from '../../signer/package.json';

const root = join(__dirname, '..', '..');
const COPIED_FILES = [
	'package.json',
	'package-lock.json',
	'scripts',
	'credentials',
	'.github/workflows',
	...listNodeFiles(),
	'demo/package.json',
	'sandbox/package.json',
	'grpc/package.json',
	'grpc/credentials',
	'signer/package.json',
	'signer/credentials',
	'demo/n8n/package.json',
];

/** Lists the files that contain the display names of nodes. */
function listNodeFiles(): string[] {
	const paths = [
		...manifest.n8n.nodes,
		...grpcManifest.n8n.nodes.map((path) => path.replace('dist', 'dist/grpc')),
		...signerManifest.n8n.nodes.map((path) => path.replace('dist', 'dist/signer')),
	];
	return paths.map((path) => path.replace('dist/', '').replace(/\.js$/, '.ts'));
}

const NEW = '# Changelog\n\n## 9.1.0 (unreleased)\n\n- **Chain EVM RPC, Chain gRPC**: faster.\n';
const OLD = '\n## 9.0.0 (2026-11-20)\n\nTested in n8n 2.40.0.\n\n- Everything.\n';
const today = new Date().toISOString().slice(0, 10);
const tested = 'Tested in n8n 2.41.1, every week in 1.123.50 and the newest.';

let first: string;
let copy: string;

/** The copied files are those that a release reads and writes. They form a repository of their own. */
beforeAll(() => {
	first = copy = mkdtempSync(join(tmpdir(), 'chain-infra-release-'));
	for (const place of COPIED_FILES) {
		cpSync(join(root, place), join(copy, place), { recursive: true });
	}
	runGit('init', '--quiet', '--template=');
	runGit('config', 'user.name', 'Test');
	runGit('config', 'user.email', 'test@example.com');
	commitChangelog(NEW + OLD);
});
afterAll(() => rmSync(first, { recursive: true }));

beforeEach(() => {
	copy = mkdtempSync(join(tmpdir(), 'chain-infra-release-'));
	cpSync(first, copy, { recursive: true });
});
afterEach(() => rmSync(copy, { recursive: true }));

function runGit(...options: string[]): string {
	return execFileSync('git', options, { cwd: copy, encoding: 'utf8' });
}

function commitChangelog(changelog: string): void {
	writeFileSync(join(copy, 'CHANGELOG.md'), changelog);
	runGit('add', '--all');
	runGit('commit', '--quiet', '--message', 'Before');
}

function runScript(name: string, options: readonly string[], env = process.env) {
	const settings = { cwd: copy, encoding: 'utf8', env } as const;
	const command = [join(copy, 'scripts', name), ...options];
	const { status, stdout, stderr } = spawnSync(process.execPath, command, settings);
	return { status, words: (stdout + stderr).trim() };
}

const runRelease = (...options: string[]) => runScript('release.mjs', options);
const readText = (file: string) => readFileSync(join(copy, file), 'utf8');
const readJson = (file: string) => JSON.parse(readText(file));

test('one command versions all packages, dates the changelog, commits and tags', () => {
	expect(runRelease('9.1.0')).toMatchObject({ status: 0 });
	const folders = ['.', 'grpc', 'signer'];
	expect(folders.map((folder) => readJson(join(folder, 'package.json')).version)).toEqual([
		'9.1.0',
		'9.1.0',
		'9.1.0',
	]);
	const lock = readJson('package-lock.json');
	const { '': own, grpc, signer, sandbox } = lock.packages;
	expect([lock, own, grpc, signer, sandbox].map(({ version }) => version)).toEqual([
		'9.1.0',
		'9.1.0',
		'9.1.0',
		'9.1.0',
		'0.0.0',
	]);
	const section = `## 9.1.0 (${today})\n\n${tested}\n\n- **Chain EVM RPC, Chain gRPC**: faster.\n`;
	expect(readText('CHANGELOG.md')).toBe(`# Changelog\n\n${section}${OLD}`);
	expect(runGit('log', '-1', '--format=%s').trim()).toBe('Release 9.1.0');
	expect(runGit('describe', '--exact-match').trim()).toBe('v9.1.0');
	expect(runGit('status', '--porcelain')).toBe('');
	expect(runGit('show', '--stat', '--format=').match(/\|/g)).toHaveLength(5);
	expect(runRelease('--check', 'v9.1.0')).toEqual({ status: 0, words: 'This is 9.1.0' });
	expect(runRelease('--notes', 'v9.1.0').words).toBe(
		`${tested}\n\n- **Chain EVM RPC, Chain gRPC**: faster.`,
	);
});

test('a dry run says what it would do, and does nothing', () => {
	const { status, words } = runRelease('9.1.0', '--dry-run');
	expect(status).toBe(0);
	expect(words.split('\n')).toEqual([
		`package.json: n8n-nodes-chain-infra ${manifest.version} becomes 9.1.0`,
		`grpc/package.json: n8n-nodes-chain-infra-grpc ${manifest.version} becomes 9.1.0`,
		`signer/package.json: n8n-nodes-chain-infra-signer ${manifest.version} becomes 9.1.0`,
		'package-lock.json: the same for 3 packages',
		`CHANGELOG.md: "9.1.0 (unreleased)" becomes "9.1.0 (${today})". ${tested}`,
		'Nothing was written.',
	]);
	expect(runGit('status', '--porcelain')).toBe('');
	expect(runGit('tag')).toBe('');
});

test.each([
	['', 'Give a version, such as 0.2.0'],
	['9.1', 'Give a version, such as 0.2.0'],
	['9.1.0-beta.1', 'Give a version, such as 0.2.0'],
	['9.0.0', '9.0.0 must be above 9.0.0'],
	['8.11.0', '8.11.0 must be above 9.0.0'],
])('the version %p is refused', (version, words) => {
	expect(runRelease(version)).toEqual({ status: 1, words });
});

test('what is not committed is not released', () => {
	writeFileSync(join(copy, 'new.txt'), '');
	expect(runRelease('9.1.0')).toEqual({ status: 1, words: 'Commit or stash your changes first' });
});

test.each([
	['says nothing', '## 9.1.0 (unreleased)\n', 'does not say what is new'],
	['has no section for it', '', 'has no section that is (unreleased)'],
	['names no node', '## Unreleased\n\n- Faster.\n', 'must begin with "- **Chain EVM RPC**: "'],
	[
		'names no known one',
		'## Unreleased\n\n- **Chain X**: new.\n',
		'"- **Chain X**: new." must begin',
	],
])('a changelog that %s is refused', (_, section, words) => {
	commitChangelog(`# Changelog\n\n${section}${OLD}`);
	const reported = runRelease('9.1.0');
	expect(reported.status).toBe(1);
	expect(reported.words).toContain(words);
	expect(runGit('status', '--porcelain')).toBe('');
});

test('a tag that is not the version of every package is refused', () => {
	runRelease('9.1.0');
	const grpc = join(copy, 'grpc', 'package.json');
	writeFileSync(grpc, readText('grpc/package.json').replace('9.1.0', '9.0.9'));
	expect(runRelease('--check', 'v9.1.0')).toEqual({
		status: 1,
		words: 'n8n-nodes-chain-infra-grpc has the version 9.0.9, not 9.1.0',
	});
	expect(runRelease('--check', 'v9.2.0').status).toBe(1);
});

describe('publishing', () => {
	const version = `@${manifest.version}`;
	const [own, grpc, signer] = ['', '-grpc', '-signer'].map(
		(name) => `n8n-nodes-chain-infra${name}${version}`,
	) as [string, string, string];

	/**
	 * Runs the publish script with a fake npm, which records its arguments. The fake registry has the packages of
	 * `present`.
	 */
	function publish(present: readonly string[], ...options: string[]) {
		const npm = `#!${process.execPath}
			const { appendFileSync } = require('node:fs');
			const [command, name] = process.argv.slice(2);
			appendFileSync('asked', process.argv.slice(2).join(' ') + '\\n');
			if (command === 'view' && ${JSON.stringify(present)}.includes(name)) console.log('"1"');
			else if (command === 'view') {
				console.log(JSON.stringify({ error: { code: process.env.REGISTRY ?? 'E404' } }));
				process.exitCode = 1;
			}`;
		writeFileSync(join(copy, 'npm'), npm, { mode: 0o755 });
		const PATH = [copy, process.env.PATH].join(delimiter);
		return runScript('publish.mjs', options, { ...process.env, PATH });
	}
	const asked = () => readText('asked').trim().split('\n');

	test('builds and publishes each package, with provenance', () => {
		expect(publish([]).status).toBe(0);
		expect(asked()).toEqual([
			`view ${own} version --json`,
			'run build',
			'publish --provenance --access public',
			`view ${grpc} version --json`,
			'run build --workspace grpc',
			'publish --workspace grpc --provenance --access public',
			`view ${signer} version --json`,
			'run build --workspace signer',
			'publish --workspace signer --provenance --access public',
		]);
	});

	test('goes on after it broke off', () => {
		expect(publish([own, signer])).toMatchObject({ status: 0 });
		expect(asked().filter((line) => line.startsWith('publish'))).toEqual([
			'publish --workspace grpc --provenance --access public',
		]);
	});

	test('publishes nothing where the registry does not answer', () => {
		process.env.REGISTRY = 'ECONNREFUSED';
		const { status, words } = publish([]);
		delete process.env.REGISTRY;
		expect(status).toBe(1);
		expect(words).toContain('The registry does not say whether it has');
		expect(asked()).toHaveLength(1);
	});

	test('in a dry run asks for nothing', () => {
		const { status, words } = publish([], '--dry-run');
		expect([status, words.split('\n').length]).toEqual([0, 6]);
		expect(existsSync(join(copy, 'asked'))).toBe(false);
	});

	test('is of the packages that the demo installs', () => {
		publish([]);
		const published = asked()
			.filter((line) => line.startsWith('publish'))
			.map((line) => /--workspace (\S+)/.exec(line)?.[1] ?? '.');
		const demo = readFileSync(join(root, 'demo', 'install', 'packages.mjs'), 'utf8');
		const installed = [...demo.matchAll(/folder: '([^']+)'/g)].map(([, folder]) => folder);
		expect(published).toEqual(installed);
	});
});
