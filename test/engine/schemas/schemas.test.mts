import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { resolveOutputSchemaPath } from 'n8n-core';
import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { encodeFunctionData, type Abi } from 'viem';
import manifest from '../../../package.json';
import { fileInMemory } from '../../harness/binary.mts';
import { deploy } from '../../harness/contract.mts';
import { runNode } from '../../harness/engine.mts';
import { registerName } from '../../harness/names.mts';
import { startSandbox, type Sandbox } from '../../harness/sandbox.mts';
import { CASES, type Case, type Scene } from './cases.mts';
import { schemaOf } from './schema.mts';

/** `npm run schemas` writes them; otherwise they are compared with what the operations give. */
const writes = process.env.WRITE_SCHEMAS === '1';

const root = join(__dirname, '..', '..', '..');
let sandbox: Sandbox;
let scene: Scene;

beforeAll(async () => {
	sandbox = await startSandbox({ chain: true });
	const coin = await deploy(sandbox, 'Coin', { file: 'Tokens' });
	const [owner, other] = (await sandbox.chain('eth_accounts')) as [string, string];
	const data = coin.data('transfer(address,uint256)', BigInt(other), 5);
	const { transactionHash } = await sandbox.mined({ from: owner, to: coin.address, data });
	const chain = { call: sandbox.chain, mine: sandbox.mined };
	await registerName(chain, 'wallet.example.eth', owner, 'https://example.com');
	const nfts = await deploy(sandbox, 'Collection', { file: 'Nfts' });
	const editions = await deploy(sandbox, 'Editions', { file: 'Nfts' });
	const mint = encodeFunctionData({
		abi: nfts.abi as Abi,
		functionName: 'mint',
		args: [owner, 1n, 'data:,{"name":"One"}'],
	});
	await sandbox.mined({ from: owner, to: nfts.address, data: mint });
	const several = editions.data('mint(address,uint256,uint256)', BigInt(owner), 1, 5);
	await sandbox.mined({ from: owner, to: editions.address, data: several });
	const { blockHash } = (await sandbox.chain('eth_getTransactionByHash', transactionHash)) as {
		blockHash: string;
	};
	const first = async (node: INodeType, parameters: INodeParameters) =>
		(await outputs(node, parameters))[0]!;
	scene = { owner, token: coin.address, nfts: nfts.address, transactionHash, blockHash, first };
});
afterAll(async () => await sandbox.stop());

async function outputs(node: INodeType, parameters: INodeParameters) {
	const { token, platform } = sandbox.credentials;
	const { items, error } = await runNode({
		...{ node, parameters, credentials: { ...token, ...platform } },
		items: [
			{ json: {}, binary: { data: fileInMemory(Buffer.from('content'), { fileName: 'a.txt' }) } },
		],
	});
	if (error) throw error;
	return items.map(({ json }) => json);
}

/** Where n8n looks for it, for the newest version of the node. */
function pathOf({ node, folder, resource, operation }: Case): string {
	const nodeDir = join(root, 'nodes', folder);
	const version = Math.max(...[node.description.version].flat());
	return resolveOutputSchemaPath({ nodeDir, version, resource, operation })!;
}

test.each(CASES.map((one) => [relative(root, pathOf(one)), one] as const))(
	'%s is what the operation gives',
	async (_, one) => {
		const { resource, operation, parameters: given } = one;
		const items: IDataObject[] = [];
		for (const each of given) {
			const own = typeof each === 'function' ? await each(scene) : each;
			items.push(...(await outputs(one.node, { resource, operation, ...own })));
		}
		expect(items.length).toBeGreaterThan(0);
		const schema = { ...schemaOf(items), version: 1 };
		const path = pathOf(one);
		if (writes) {
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, `${JSON.stringify(schema)}\n`);
		}
		expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(schema);
	},
);

/** What these give depends on what is asked. */
const UNFORESEEABLE = ['api request', 'contract call', 'data decode', 'rpc request'];

test('every other operation has one', () => {
	const nodes = new Set(CASES.map(({ node }) => node));
	const known = (node: INodeType) => CASES.filter((one) => one.node === node);
	for (const node of nodes) {
		const menus = node.description.properties.filter(({ name }) => name === 'operation');
		const offered = menus.flatMap(({ options = [], displayOptions }) =>
			options.map((one) => `${displayOptions?.show?.resource?.[0]} ${'value' in one && one.value}`),
		);
		const covered = known(node).map(({ resource, operation }) => `${resource} ${operation}`);
		expect(covered.sort()).toEqual(offered.filter((one) => !UNFORESEEABLE.includes(one)).sort());
	}
	const actions = manifest.n8n.nodes.filter((path) => !path.endsWith('Trigger.node.js'));
	expect(nodes.size).toBe(actions.length);
});

test('a schema is what values have in common', () => {
	expect(
		schemaOf([
			{ a: null, b: [] },
			{ a: 1, c: [{ d: 'x' }, { e: true }] },
		]),
	).toEqual({
		type: 'object',
		properties: {
			a: { type: 'number' },
			b: { type: 'array' },
			c: {
				type: 'array',
				items: {
					type: 'object',
					properties: { d: { type: 'string' }, e: { type: 'boolean' } },
				},
			},
		},
	});
	expect(schemaOf([null])).toEqual({ type: 'null' });
	expect(schemaOf([1, 'one'])).toEqual({ type: 'string' });
});
