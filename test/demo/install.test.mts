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

/** Takes the place of npm: records its arguments, and does as much of the work as `breaks` allows. */
const NPM = `#!${process.execPath}
const { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const [command, ...options] = process.argv.slice(2);
if (command === 'config') {
	const answers = { nodedir: join(${JSON.stringify('FOLDER')}, 'other node'), cache: join(${JSON.stringify('FOLDER')}, 'npm cache') };
	console.log(answers[options[1]]);
	process.exit(0);
}
const asked = join(${JSON.stringify('FOLDER')}, 'asked');
if (command === 'rebuild') appendFileSync(join(${JSON.stringify('FOLDER')}, 'nodedir'), process.env.npm_config_nodedir ?? '');
appendFileSync(asked, command + '\\n');
const file = join(${JSON.stringify('FOLDER')}, 'breaks');
const breaks = existsSync(file) ? readFileSync(file, 'utf8') : '';
const prefix = options.indexOf('--prefix');
const home = prefix < 0 ? process.cwd() : options[prefix + 1];
if (command === 'ci') rmSync('node_modules', { recursive: true, force: true });
if (command === 'ci' || command === 'install') {
	const bin = join(home, 'node_modules', '${node}', 'bin');
	mkdirSync(bin, { recursive: true });
	writeFileSync(join(bin, 'node'), breaks === command ? 'half' : 'whole');
	if (breaks === command) process.exit(1);
	for (const file of ['.package-lock.json', 'a.js', 'a.js.map', 'a.d.ts', 'a.d.mts'])
		writeFileSync(join(home, 'node_modules', file), '{}');
	const cache = options.indexOf('--cache');
	if (cache >= 0) mkdirSync(options[cache + 1], { recursive: true });
}
if (breaks === 'notarget') console.error('npm error notarget No matching version found for part@1.0.0.');
process.exit([command, 'notarget'].includes(breaks) ? 1 : 0);
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

/** Returns the calls of npm, and the messages of the installation. */
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
	test('while npm put packages in place begins them again', () => {
		expect(installed({ breaks: 'ci' }).said).toContain('broken off');
		const { asked, said } = installed();
		expect(asked).toEqual(['view', 'ci', 'rebuild']);
		expect(said).toContain('Step 2 of 6: Installing n8n');
	});

	test('while the driver was built downloads nothing again', () => {
		expect(installed({ breaks: 'rebuild' }).said).toContain('broken off');
		const { asked, said } = installed();
		expect(asked).toEqual(['rebuild']);
		expect(said).toMatch(/Step 2 of 6: n8n \S+ is downloaded\nStep 3 of 6: Building/);
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
	]);
	expect(existsSync(join(home!, '.npm'))).toBe(false);
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
		/: n8n \S+ cannot be installed: the package registry does not have part@1\.0\.0, which it needs\.\n$/,
	);
});

test('a full disk is reported in a sentence', () => {
	const script = `import { formatError } from ${address('..', 'tools', 'userError.mjs')};
		console.log(formatError(Object.assign(new Error('no space'), { code: 'ENOSPC', path: 'here' })));`;
	const options = ['--input-type=module', '-e', script];
	const { stdout } = spawnSync(process.execPath, options, { encoding: 'utf8' });
	expect(stdout).toBe('There is no space left for here. Free some, and start again.\n');
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
			const files = ['installProgress', 'folderLock'].map((name) => join('tools', `${name}.mjs`));
			for (const file of [join('scripts', 'setup.mjs'), 'package-lock.json', ...files])
				cpSync(join(root, file), join(folder, 'clone', file));
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
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages }));
	const script = `import { createInstallProgress } from ${address('..', 'tools', 'installProgress.mjs')};
		import { mkdirSync, writeFileSync } from 'node:fs';
		const howFar = createInstallProgress(process.cwd(), 'cache');
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
		'npm reads its lockfile\n3 MB downloaded\n3 MB downloaded\n1 of 2 packages\n',
	);
});
