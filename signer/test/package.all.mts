import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PackageDirectoryLoader } from 'n8n-core';
import { testPackage } from '../../test/harness/package.mts';
import { ADDRESS, KEY, TRANSFER } from './support/signerNode.mts';

const root = join(__dirname, '..');
const CREDENTIALS = ['Deposits', 'Key', 'Remote', 'Stark', 'Ton'].map(
	(kind) => `ChainSigner${kind}Api`,
);
const { dist, inNode } = testPackage({
	root,
	node: 'nodes/Signer/Signer.node',
	files: [
		...CREDENTIALS.map((name) => `credentials/${name}.credentials.js`),
		'icons/signer.dark.svg',
		'icons/signer.svg',
		'library/LICENSES.md',
		'library/keys.js',
		'nodes/Pay/Pay.node.js',
		'nodes/Pay/Pay.node.json',
		'nodes/Signer/Signer.node.js',
		'nodes/Signer/Signer.node.json',
	],
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
		print(${JSON.stringify(CREDENTIALS)}.map((name) => Object.keys(load(name))));
	`);
	for (const keys of types) {
		expect(keys).not.toEqual(expect.arrayContaining(['authenticate']));
		expect(keys).not.toEqual(expect.arrayContaining(['httpRequestNode']));
	}
});

test('n8n finds the nodes of each credential, and gives it to no others', async () => {
	const loader = new PackageDirectoryLoader(root);
	await loader.loadAll();
	const found = Object.values(loader.credentialTypes).map(
		({ type: { name, restrictToSupportedNodes, supportedNodes = [] } }) =>
			[name, restrictToSupportedNodes, supportedNodes.toSorted()] as const,
	);
	const names = CREDENTIALS.map((name) => name.replace('Chain', 'chain'));
	expect(found).toEqual(names.map((name) => [name, true, ['pay', 'signer']]));
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
