import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { resolveOutputSchemaPath } from 'n8n-core';
import type { IDataObject, INodeType } from 'n8n-workflow';
import manifest from '../../../package.json';
import { CASES, type Case } from './cases.mts';
import { schemaOf } from './schema.mts';
import { startStage, type Stage } from './stage.mts';

/** `npm run schemas` writes the schemas; otherwise they are compared with the outputs of the operations. */
const writes = process.env.WRITE_SCHEMAS === '1';

const root = join(__dirname, '..', '..', '..');
let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});
afterAll(async () => await stage.stop());

/** The path where n8n looks for a schema, for the newest version of the node. */
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
			const own = typeof each === 'function' ? await each(stage.scene) : each;
			items.push(...(await stage.outputs(one.node, { resource, operation, ...own })));
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

/** The outputs of these depend on the request. */
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
