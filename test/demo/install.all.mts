import { spawn, spawnSync } from 'node:child_process';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
const address = (...path: string[]) =>
	JSON.stringify(pathToFileURL(join(root, 'demo', ...path)).href);
const node = `node-${process.platform}-${process.arch}`;
let folder: string;

/**
 * A script that stands in for npm. It records its arguments. It does npm's work until the step that the file `breaks`
 * names.
 */
const NPM = `#!${process.execPath}
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const [command, ...options] = process.argv.slice(2);
if (command === 'config') {
	const answers = { nodedir: join(${JSON.stringify('FOLDER')}, 'other node'), cache: join(${JSON.stringify('FOLDER')}, 'npm cache'), registry: 'https://registry.example/npm/' };
	console.log(answers[options[1]]);
	process.exit(0);
}
const asked = join(${JSON.stringify('FOLDER')}, 'asked');
if (command === 'rebuild') appendFileSync(join(${JSON.stringify('FOLDER')}, 'nodedir'), process.env.npm_config_nodedir ?? '');
const where = basename(process.cwd()) === 'driver' ? ' driver' : '';
appendFileSync(asked, command + where + '\\n');
const file = join(${JSON.stringify('FOLDER')}, 'breaks');
const breaks = existsSync(file) ? readFileSync(file, 'utf8') : '';
const prefix = options.indexOf('--prefix');
const home = prefix < 0 ? process.cwd() : options[prefix + 1];
if (command === 'ci') rmSync('node_modules', { recursive: true, force: true });
if (command === 'ci' || command === 'install') {
	const bin = join(home, 'node_modules', '${node}', 'bin');
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, 'node'), breaks === command + where ? 'half' : 'whole');
	if (breaks === command + where) process.exit(1);
	const lockfile = existsSync('package-lock.json') ? readFileSync('package-lock.json') : '{}';
	writeFileSync(join(home, 'node_modules', '.package-lock.json'), lockfile);
	for (const file of ['a.js', 'a.js.map', 'a.d.ts', 'a.d.mts'])
		writeFileSync(join(home, 'node_modules', file), '{}');
	const cache = options.indexOf('--cache');
	if (cache >= 0) mkdirSync(options[cache + 1], { recursive: true });
}
if (command === 'rebuild') {
	const release = join('node_modules', 'sqlite3', 'build', 'Release');
	mkdirSync(release, { recursive: true });
	writeFileSync(join(release, 'node_sqlite3.node'), 'driver');
}
if (breaks === 'notarget') console.error('npm error notarget No matching version found for part@1.0.0.');
process.exit([command + where, 'notarget'].includes(breaks) ? 1 : 0);
`;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'install-'));
	writeFileSync(join(folder, 'npm'), NPM.replaceAll('FOLDER', folder));
	chmodSync(join(folder, 'npm'), 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const environment = () => ({
	...process.env,
	PATH: [folder, process.env.PATH].join(delimiter),
	XDG_CACHE_HOME: folder,
});

/** Copies the files that an installation in a clone needs. */
function copyClone() {
	for (const file of [join('scripts', 'setup.mjs'), 'package-lock.json', '.npmrc', 'tools'])
		cpSync(join(root, file), join(folder, 'clone', file), { recursive: true });
}

/** Runs an installation. Returns the calls of npm and the printed messages. */
function installed({ breaks = '' } = {}) {
	writeFileSync(join(folder, 'breaks'), breaks);
	rmSync(join(folder, 'asked'), { force: true });
	const script = `import { installN8n } from ${address('install', 'install.mjs')};
		await installN8n().then(({ node }) => console.log('with', node), (error) => console.log('broken off:', error.message));`;
	const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
		cwd: root,
		env: environment(),
		encoding: 'utf8',
	});
	return { asked: asked(), said: stdout };
}

const asked = () =>
	existsSync(join(folder, 'asked'))
		? readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')
		: [];

describe('an installation that was broken off', () => {
	test('while npm put packages in place begins them again, and keeps the driver that was built beside', () => {
		expect(installed({ breaks: 'ci' }).said).toContain('broken off');
		const { asked, said } = installed();
		expect(asked).toEqual(['view', 'ci']);
		expect(said).toContain('Step 2 of 6: Installing n8n');
		expect(said).toContain('Step 3 of 6: The database driver of n8n is built');
	});

	test('while the driver was built downloads nothing again', () => {
		expect(installed({ breaks: 'rebuild driver' }).said).toContain('broken off');
		const { asked, said } = installed();
		expect(asked).toEqual(['ci driver', 'rebuild driver']);
		expect(said).toMatch(/Step 2 of 6: n8n \S+ is downloaded\n/);
		expect(said).toMatch(/Step 3 of 6: Building/);
		expect(installed().asked).toEqual([]);
	});
});

test('an installation keeps what n8n runs, and neither types nor what npm has downloaded', () => {
	installed();
	const [home] = readdirSync(join(folder, 'n8n-nodes-chain-infra'), { withFileTypes: true })
		.filter(({ name }) => name.startsWith('n8n-'))
		.map(({ name }) => join(folder, 'n8n-nodes-chain-infra', name));
	expect(readdirSync(join(home!, 'node_modules')).sort()).toEqual([
		'.package-lock.json',
		'a.js',
		node,
		'sqlite3',
	]);
	for (const folder of ['.npm', 'driver']) expect(existsSync(join(home!, folder))).toBe(false);
});

test("the driver is built with the headers that npm's nodedir names", () => {
	const headers = join(folder, 'other node', 'include', 'node');
	mkdirSync(headers, { recursive: true });
	for (const file of ['node_api.h', 'common.gypi']) writeFileSync(join(headers, file), '');
	installed();
	expect(readFileSync(join(folder, 'nodedir'), 'utf8')).toBe(join(folder, 'other node'));
});

test('a registry that has not all of a version is reported in a sentence', () => {
	expect(installed({ breaks: 'notarget' }).said).toMatch(
		/: n8n \S+ cannot be installed, because it needs part@1\.0\.0, which the package registry does not have\.\n/,
	);
});

test('a full disk is reported in a sentence', () => {
	const script = `import { formatError } from ${address('..', 'tools', 'userError.mjs')};
		console.log(formatError(Object.assign(new Error('no space'), { code: 'ENOSPC', path: 'here' })));`;
	const options = ['--input-type=module', '-e', script];
	const { stdout } = spawnSync(process.execPath, options, { encoding: 'utf8' });
	expect(stdout).toBe('There is no space left for here. Free some space, and start again.\n');
});

test('half a Node is none', () => {
	const home = join(folder, 'n8n-nodes-chain-infra', 'node-24');
	const bin = join(home, 'node_modules', node, 'bin');
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, 'node'), 'half');
	const script = `Object.defineProperty(process.versions, 'node', { value: '22.0.0' });
		const { findOrInstallNode24 } = await import(${address('install', 'node.mjs')});
		console.log(await findOrInstallNode24());`;
	const find = () =>
		spawnSync(process.execPath, ['--input-type=module', '-e', script], {
			cwd: root,
			env: environment(),
			encoding: 'utf8',
		}).stdout.trim();
	expect(find()).toBe(join(bin, 'node'));
	expect(readFileSync(join(bin, 'node'), 'utf8')).toBe('whole');
	find();
	expect(asked()).toEqual(['install']);
});

test.each([
	[
		'a Node',
		'install',
		() => `Object.defineProperty(process.versions, 'node', { value: '22.0.0' });
			await import(${address('install', 'node.mjs')}).then(({ findOrInstallNode24 }) => findOrInstallNode24());`,
	],
	[
		'the packages of the repository',
		'ci',
		() => {
			copyClone();
			return `await import(${JSON.stringify(pathToFileURL(join(folder, 'clone', 'scripts', 'setup.mjs')).href)});`;
		},
	],
])('two starts at the same time install %s once', async (_, command, script) => {
	const options = ['--input-type=module', '-e', script()];
	const cwd = existsSync(join(folder, 'clone')) ? join(folder, 'clone') : root;
	const programs = [1, 2].map(() => spawn(process.execPath, options, { cwd, env: environment() }));
	const codes = programs.map((one) => new Promise((resolve) => void one.on('close', resolve)));
	expect(await Promise.all(codes)).toEqual([0, 0]);
	expect(asked().filter((one) => one === command)).toEqual([command]);
});

test('an installation reports how many packages are in place', () => {
	const packages = {
		'': {},
		'node_modules/a': {},
		'node_modules/a/node_modules/b': {},
		'node_modules/elsewhere': { optional: true },
		'node_modules/own': { link: true },
		own: {},
	};
	const script = `import { createInstallProgress } from ${address('..', 'tools', 'installProgress.mjs')};
		import { mkdirSync, writeFileSync } from 'node:fs';
		const howFar = createInstallProgress(process.cwd(), ${JSON.stringify(packages)}, 'cache');
		console.log(howFar());
		mkdirSync('cache/deep', { recursive: true });
		writeFileSync('cache/deep/file', Buffer.alloc(3e6));
		console.log(howFar());
		mkdirSync('node_modules/a', { recursive: true });
		console.log(howFar());
		writeFileSync('node_modules/a/package.json', '{}');
		console.log(howFar());`;
	const options = ['--input-type=module', '-e', script];
	const { stdout } = spawnSync(process.execPath, options, { cwd: folder, encoding: 'utf8' });
	expect(stdout).toBe(
		'npm reads the list of packages\n3 MB downloaded\n3 MB downloaded\n1 of 2 packages\n',
	);
});

describe('the packages of the repository', () => {
	const clone = () => join(folder, 'clone');
	const setUp = (...options: string[]) => {
		rmSync(join(folder, 'asked'), { force: true });
		const script = join(clone(), 'scripts', 'setup.mjs');
		spawnSync(process.execPath, [script, ...options], { env: environment() });
		return asked();
	};
	const list = () => join(clone(), 'node_modules', '.package-lock.json');
	const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
	const lockfile = read(join(root, 'package-lock.json'));
	/** Writes the list of packages that npm leaves when an installation is complete. */
	const install = (packages: object) => {
		mkdirSync(join(clone(), 'node_modules'), { recursive: true });
		writeFileSync(list(), JSON.stringify({ packages }));
	};

	test('are installed once, and not while all that the lockfile names is there', () => {
		copyClone();
		install(lockfile.packages);
		expect(setUp()).toEqual([]);
		const { 'node_modules/tsx': tsx, ...others } = lockfile.packages;
		install({ ...others, 'node_modules/tsx': { ...tsx, version: '0.0.1' } });
		expect(setUp()).toEqual(['view', 'ci']);
		install(others);
		expect(setUp()).toEqual(['view', 'ci']);
	});

	test('of the demo are no tools of the tests, and are enough for it', () => {
		copyClone();
		const written = join(folder, 'written');
		writeFileSync(
			join(folder, 'npm'),
			NPM.replaceAll('FOLDER', folder).replace(
				"if (command === 'ci')",
				`if (command === 'ci') require('node:fs').copyFileSync('package-lock.json', ${JSON.stringify(written)});\n$&`,
			),
		);
		expect(setUp('--demo')).toEqual(['view', 'ci']);
		const { packages } = read(written);
		const names = Object.keys(packages);
		expect(names).toEqual(expect.arrayContaining(['node_modules/fastify', 'node_modules/tsx']));
		for (const unused of ['jest', 'n8n-core', 'n8n-workflow', 'eslint', 'viem', 'starknet'])
			expect(names).not.toContain(`node_modules/${unused}`);
		expect(packages['node_modules/@ton/core'].resolved).toBe(
			`https://registry.example/npm/@ton/core/-/core-${packages['node_modules/@ton/core'].version}.tgz`,
		);
		install(packages);
		expect(setUp('--demo')).toEqual([]);
		expect(setUp()).toEqual(['view', 'ci']);
	});

	test('stay as they are where an installation fails', () => {
		copyClone();
		install({});
		writeFileSync(join(folder, 'breaks'), 'ci');
		expect(setUp()).toEqual(['view', 'ci']);
		expect(read(list())).toEqual({ packages: {} });
	});
});
