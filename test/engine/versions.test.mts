import { join } from 'node:path';
import type { IExecuteFunctions, INodeParameters, INodeType } from 'n8n-workflow';
import manifest from '../../package.json';
import type { Connect } from '../../nodes/core/operation/client';
import type { Field } from '../../nodes/core/operation/field';
import { createOperationTyper } from '../../nodes/core/operation/operation';
import { buildProperties } from '../../nodes/core/operation/panel';
import { run } from '../../nodes/core/run';
import { wholeNumberParser } from '../../nodes/core/values/parse';
import { runNode } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { keptWorkflows, testedNode } from '../versions/kept.mts';

/** The node of docs/versions.md: version 2 has a higher limit, and may give sums in whole coins. */
const limit = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	default: 50,
	description: 'Max number of results to return',
	show: { '@version': [1] },
	parse: wholeNumberParser(1),
} as const satisfies Field;
const limit2 = { ...limit, default: 100, show: { '@version': [2] } } as const satisfies Field;
const unit = {
	displayName: 'Unit',
	name: 'unit',
	type: 'options',
	default: 'coin',
	options: [
		{ name: 'Coin', value: 'coin' },
		{ name: 'Smallest', value: 'smallest' },
	],
	show: { '@version': [2] },
} as const satisfies Field;

interface Asked {
	readonly limit?: number;
	readonly unit: string;
}

const list = createOperationTyper<Asked>()({
	name: 'List',
	action: 'List sums',
	description: 'List sums',
	fields: [limit, limit2, unit],
	// Version 1 has no unit: it gave the smallest one.
	request: (p) => ({ limit: p.limit, unit: p.unit ?? 'smallest' }),
	answer: (body) => body,
});

const menu = { sum: { name: 'Sum', operations: { list } } };

/** A service that answers with the request. */
const echo: Connect<Asked> = async () =>
	await Promise.resolve({
		parallelItems: 1,
		call: async (asked) => await Promise.resolve(asked),
		redact: (text) => text,
	});

const sums: INodeType = {
	description: {
		displayName: 'Sums',
		name: 'sums',
		group: ['transform'],
		version: [1, 2],
		defaultVersion: 2,
		description: 'List sums',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		properties: buildProperties(menu),
	},
	async execute(this: IExecuteFunctions) {
		return await run(this, menu, echo);
	},
};

describe('a node with two versions', () => {
	const asked = async (typeVersion: number | undefined, parameters: INodeParameters) => {
		const { items, error } = await runNode({
			node: sums,
			parameters,
			credentials: {},
			typeVersion,
		});
		if (error) throw error;
		return items.map(({ json }) => json);
	};

	test.each([
		['an old workflow keeps the old default', 1, {}, { limit: 50, unit: 'smallest' }],
		['a new workflow has the new one', 2, {}, { limit: 100, unit: 'coin' }],
		['what a new node gets is the newest', undefined, {}, { limit: 100, unit: 'coin' }],
		['what was chosen holds in the old one', 1, { limit: 7 }, { limit: 7, unit: 'smallest' }],
		['and in the new one', 2, { limit: 7, unit: 'smallest' }, { limit: 7, unit: 'smallest' }],
		[
			'the old one ignores what it does not have',
			1,
			{ unit: 'coin' },
			{ limit: 50, unit: 'smallest' },
		],
	] as Array<[string, number | undefined, INodeParameters, object]>)(
		'%s',
		async (_, version, stored, expected) => {
			expect(await asked(version, stored)).toEqual([expected]);
		},
	);
});

const nodes = new Map<string, INodeType>();
const kept = keptWorkflows(join(__dirname, '..', 'versions'));
const nodeOf = (type: string) => nodes.get(type.split('.')[1]!)!;
const sandbox = createSandbox();

beforeAll(async () => {
	for (const path of manifest.n8n.nodes) {
		const source = path.replace('dist', '../..').replace(/\.js$/, '');
		const [node] = Object.values<new () => INodeType>(await import(source));
		const made = new node!();
		nodes.set(made.description.name, made);
	}
});

test.each(kept)('the workflow %s gives what it gave when it was kept', async (_, workflow) => {
	const { type, typeVersion, parameters, credentials = {} } = testedNode(workflow);
	const { token, basicAuth, platform } = sandbox.credentials;
	const known = Object.entries({ ...token, ...basicAuth, ...platform });
	const { items, error } = await runNode({
		node: nodeOf(type),
		typeVersion,
		parameters,
		credentials: Object.fromEntries(known.filter(([name]) => name in credentials)),
	});
	if (error) throw error;
	expect(items.map(({ json }) => json)).toEqual(workflow.expected);
});

test('every version of an action but the newest has such a workflow', () => {
	const names = kept.map(([name]) => name);
	for (const { description } of nodes.values()) {
		const { name, version, defaultVersion, group } = description;
		const versions = [version].flat();
		const newest = Math.max(...versions);
		expect(defaultVersion ?? newest).toBe(newest);
		if (group.includes('trigger')) continue;
		const older = versions.filter((one) => one !== newest);
		expect(names).toEqual(expect.arrayContaining(older.map((one) => `${name}.v${one}`)));
	}
});

test.each(kept)('the node of %s still has its version', (name, workflow) => {
	const { type, typeVersion } = testedNode(workflow);
	expect(`${type.split('.')[1]}.v${typeVersion}`).toBe(name);
	expect([nodeOf(type).description.version].flat()).toContain(typeVersion);
});
