import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADDRESS, KEY, TRANSFER } from './support/signerNode.mts';

const root = join(__dirname, '..');
const dist = join(root, 'dist');
const execute = promisify(execFile);

/** Runs a script in a plain Node that loads the node as n8n does, and returns what it printed as JSON. */
async function inNode<T>(script: string): Promise<T> {
	const before = `const file = ${JSON.stringify(join(dist, 'nodes/Signer/Signer.node.js'))};
		const print = (value) => console.log(JSON.stringify(value));`;
	const { stdout } = await execute(process.execPath, ['--eval', `${before}\n${script}`], {
		env: { PATH: process.env.PATH },
	});
	return JSON.parse(stdout) as T;
}

beforeAll(async () => {
	await execute(process.execPath, [join(root, 'scripts/build.mjs')]);
});

test('the package holds what n8n needs, and nothing else', async () => {
	const { stdout } = await execute('npm', ['pack', '--dry-run', '--json'], { cwd: root });
	const [{ files, size }] = JSON.parse(stdout) as [
		{ files: ReadonlyArray<{ path: string }>; size: number },
	];
	console.log(`the tarball: ${files.length} files, ${Math.round(size / 1000)} kB`);
	expect(files.map(({ path }) => path).sort()).toEqual([
		'LICENSE.md',
		'README.md',
		'dist/credentials/ChainSignerKeyApi.credentials.js',
		'dist/credentials/ChainSignerRemoteApi.credentials.js',
		'dist/credentials/ChainSignerStarkApi.credentials.js',
		'dist/credentials/ChainSignerTonApi.credentials.js',
		'dist/icons/signer.dark.svg',
		'dist/icons/signer.svg',
		'dist/library/LICENSES.md',
		'dist/library/keys.js',
		'dist/nodes/Signer/Signer.node.js',
		'dist/nodes/Signer/Signer.node.json',
		'package.json',
	]);
	const { dependencies, n8n } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	expect(dependencies).toBeUndefined();
	for (const file of [...n8n.nodes, ...n8n.credentials]) statSync(join(root, file));
});

test('the bundles know nothing of this machine', () => {
	const files = readdirSync(dist, { recursive: true, withFileTypes: true });
	for (const { parentPath, name } of files.filter((entry) => entry.isFile())) {
		const text = readFileSync(join(parentPath, name), 'utf8');
		expect(text).not.toContain(join(root, '..'));
		expect(text).not.toContain('sourceMappingURL');
	}
});

test('the libraries in it are these three, with their licenses', () => {
	const text = readFileSync(join(dist, 'library/LICENSES.md'), 'utf8');
	expect(text.match(/^# .+\n\n.+$/gm)).toEqual([
		'# @noble/curves 1.9.7\n\nMIT',
		'# @noble/hashes 1.8.0\n\nMIT',
		'# @scure/starknet 1.1.2\n\nMIT',
	]);
});

test('n8n loads the node without the libraries', async () => {
	const { own, first, library } = await inNode<{ own: string[]; first: number; library: number }>(`
		require(require.resolve('n8n-workflow', { paths: [file] }));
		const start = performance.now();
		new (require(file).Signer)();
		const first = performance.now() - start;
		const own = Object.keys(require.cache).filter((path) => path.startsWith(${JSON.stringify(root)}));
		require(${JSON.stringify(join(dist, 'library/keys.js'))});
		print({ own, first, library: performance.now() - start - first });
	`);
	console.log(
		`the node loads in ${first.toFixed(1)} ms, the library in ${library.toFixed(1)} ms when it is first used`,
	);
	expect(own).toEqual([join(dist, 'nodes/Signer/Signer.node.js')]);
});

test('no credential says how it is sent, so that no other node can', async () => {
	const types = await inNode<ReadonlyArray<readonly string[]>>(`
		const folder = ${JSON.stringify(join(dist, 'credentials'))};
		const load = (name) => new (require(folder + '/' + name + '.credentials.js')[name])();
		print(['ChainSignerKeyApi', 'ChainSignerRemoteApi', 'ChainSignerStarkApi', 'ChainSignerTonApi'].map((name) => Object.keys(load(name))));
	`);
	for (const keys of types) {
		expect(keys).not.toEqual(expect.arrayContaining(['authenticate']));
		expect(keys).not.toEqual(expect.arrayContaining(['httpRequestNode']));
	}
});

test('the packed node signs, and asks nobody', async () => {
	const items = [{ json: { transaction: TRANSFER } }];
	const answer = await inNode<Record<string, string>>(`
		const parameters = { authentication: 'key', resource: 'transaction', operation: 'sign',
			transaction: ${JSON.stringify(JSON.stringify(TRANSFER))}, options: {} };
		const node = new (require(file).Signer)();
		const properties = [{ name: 'privateKey', typeOptions: { password: true } }];
		const rules = { chainIds: '31337', maxAmount: '1' };
		node.execute.call({
			getInputData: () => ${JSON.stringify(items)},
			getNode: () => ({ typeVersion: 1 }),
			getNodeParameter: (name, _item, fallback) => parameters[name] ?? fallback,
			getTimezone: () => 'UTC',
			continueOnFail: () => false,
			getExecutionCancelSignal: () => undefined,
			getWorkflowDataProxy: () => ({}),
			getCredentials: async () => ({ privateKey: ${JSON.stringify(KEY)}, ...rules }),
			getCredentialsProperties: () => properties,
		}).then(([[item]]) => print(item.json));
	`);
	expect(answer).toMatchObject({
		from: ADDRESS,
		signedTransaction: expect.stringMatching(/^0x02/),
	});
});
