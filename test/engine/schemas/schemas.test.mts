import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject } from 'n8n-workflow';
import { CASES, nameOf, type CaseOfNode } from '../../cases/all.mts';
import { startStage, type Stage } from '../../cases/stage.mts';
import { fileSchemaOf, findSchema, schemaOf } from '../../harness/outputSchema.mts';

/**
 * The command `npm run schemas` writes the schemas. Any other run of the tests compares them with the outputs of the
 * operations.
 */
const writes = process.env.WRITE_SCHEMAS === '1';

const root = join(__dirname, '..', '..', '..');
let stage: Stage;

beforeAll(async () => {
	stage = await startStage();
});
afterAll(async () => await stage.stop());

/**
 * The gRPC cases are left out, because their certificate must exist before n8n is loaded. The command `npm run docs`
 * makes their schemas.
 */
const tried = CASES.filter(({ node }) => node !== 'grpc');
const foreseeable = tried.filter(({ about, noSchema }) => !about && noSchema === undefined);
const others = tried.filter((one) => !foreseeable.includes(one));

/** Runs a case, checks the output by the case's own check, and returns it. */
async function runCase(one: CaseOfNode): Promise<IDataObject[]> {
	const { scene } = stage;
	const items = await stage.outputs(one.node, one, (await one.parameters?.(scene)) ?? {});
	await one.check(items, scene);
	return items;
}

const readSchema = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/**
 * Writes a schema only if its content has changed. The order of some fields differs from run to run, and must not
 * change the file.
 */
function writeSchema(file: string, schema: unknown): void {
	if (existsSync(file) && isDeepStrictEqual(readSchema(file), schema)) return;
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, `${JSON.stringify(schema)}\n`);
}

test.each(foreseeable.map((one) => [relative(root, findSchema(one)), one] as const))(
	'%s is what the operation gives',
	async (path, one) => {
		const items = await runCase(one);
		for (const also of one.alsoForSchema?.(stage.scene) ?? []) {
			items.push(...(await stage.outputs(one.node, one, await also)));
		}
		expect(items.length).toBeGreaterThan(0);
		const schema = fileSchemaOf(items);
		const file = join(root, path);
		if (writes) writeSchema(file, schema);
		expect(readSchema(file)).toEqual(schema);
	},
);

test.each(others.map((one) => [nameOf(one), one] as const))(
	'%s gives what its case says',
	async (_, one) => {
		expect((await runCase(one)).length).toBeGreaterThan(0);
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
