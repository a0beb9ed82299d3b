import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { resolveOutputSchemaPath } from 'n8n-core';
import { CASES, type CaseOfNode } from '../../cases/all.mts';
import { startStage, type Stage } from '../../cases/stage.mts';
import { getNode } from '../../harness/nodes.mts';
import { schemaOf } from './schema.mts';

/** `npm run schemas` writes them; otherwise they are compared with what the operations give. */
const writes = process.env.WRITE_SCHEMAS === '1';

const root = join(__dirname, '..', '..', '..');
let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});
afterAll(async () => await stage.stop());

/** Where n8n looks for it, for the newest version of the node. */
function pathOf({ node, resource, operation }: CaseOfNode): string {
	const nodeDir = join(root, 'nodes', node.charAt(0).toUpperCase() + node.slice(1));
	const version = Math.max(...[getNode(node).description.version].flat());
	return resolveOutputSchemaPath({ nodeDir, version, resource, operation })!;
}

const foreseeable = CASES.filter(({ about, noSchema }) => !about && noSchema === undefined);

test.each(foreseeable.map((one) => [relative(root, pathOf(one)), one] as const))(
	'%s is what the operation gives',
	async (_, one) => {
		const { scene } = stage;
		const items = await stage.outputs(one.node, one, (await one.parameters?.(scene)) ?? {});
		await one.check(items, scene);
		for (const others of one.alsoForSchema?.(scene) ?? []) {
			items.push(...(await stage.outputs(one.node, one, await others)));
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
