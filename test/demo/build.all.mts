import { spawnSync } from 'node:child_process';
import {
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const root = join(__dirname, '..', '..');
let folder: string;

beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'build-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the demo compiles the nodes, without the types of n8n, to what the compiler makes with them', () => {
	// The copy of the repository contains only these files, so it has no package of n8n.
	const sources = [
		'credentials',
		'icons',
		'nodes/Faucet',
		'nodes/Utilities',
		'nodes/core',
		'nodes/fields',
	];
	for (const source of [...sources, 'tsconfig.json'])
		cpSync(join(root, source), join(folder, 'copy', source), { recursive: true });
	const script = `import { compileNodes } from ${JSON.stringify(pathToFileURL(join(root, 'demo', 'install', 'build.mjs')).href)};
		await compileNodes(${JSON.stringify(join(folder, 'copy'))}, ${JSON.stringify(join(folder, 'demo'))});`;
	run('--input-type=module', '-e', script);
	symlinkSync(join(root, 'node_modules'), join(folder, 'copy', 'node_modules'));
	const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
	run(compiler, '--project', join(folder, 'copy'), '--outDir', join(folder, 'whole'));
	const files = listFiles('demo');
	expect(files).toContain(join('nodes', 'Faucet', 'Faucet.node.js'));
	expect(files).toContain(join('icons', 'faucet.svg'));
	expect(files.some((file) => file.includes('__schema__'))).toBe(true);
	for (const file of files.filter((one) => one.endsWith('.js')))
		expect([file, read('demo', file)]).toEqual([file, read('whole', file)]);
});

function run(...options: string[]) {
	const { status, stdout, stderr } = spawnSync(process.execPath, options, { encoding: 'utf8' });
	expect([status, stdout + stderr]).toEqual([0, '']);
}

const read = (build: string, file: string) => readFileSync(join(folder, build, file), 'utf8');

const listFiles = (build: string) =>
	(readdirSync(join(folder, build), { recursive: true }) as string[]).filter((file) =>
		statSync(join(folder, build, file)).isFile(),
	);
