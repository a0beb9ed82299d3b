import {
	NodeHelpers,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
	type INodeType,
	type INodeTypeDescription,
	type TriggerPanelDefinition,
} from 'n8n-workflow';
import grpcManifest from '../../grpc/package.json';
import manifest from '../../package.json';
import signerManifest from '../../signer/package.json';
import { TESTED_NAME, buildWorkflow } from '../harness/workflow.mts';

const nodes = new Map<string, INodeType>();

const names = [manifest, grpcManifest, signerManifest]
	.flatMap(({ n8n }) => n8n.nodes)
	.map((path) => path.split('/')[2]!);
const triggers = names.filter((name) => name.endsWith('Trigger'));
const actions = names.filter((name) => !name.endsWith('Trigger'));

beforeAll(async () => {
	const paths = [
		...manifest.n8n.nodes.map((path) => path.replace('dist', '../..')),
		...grpcManifest.n8n.nodes.map((path) => path.replace('dist', '../../grpc')),
		...signerManifest.n8n.nodes.map((path) => path.replace('dist', '../../signer')),
	];
	for (const path of paths) {
		const [node] = Object.values<new () => INodeType>(await import(path.replace(/\.js$/, '')));
		nodes.set(path.split('/').at(-2)!, new node!());
	}
});

const nodeNamed = (name: string) => nodes.get(name)!;
const described = (name: string): INodeTypeDescription => nodeNamed(name).description;

/** Returns the parameters that n8n derives from the stored parameters of a node. */
function filled(name: string, stored: INodeParameters): INodeParameters {
	const { properties } = described(name);
	const node = { typeVersion: 1 } as INode;
	return NodeHelpers.getNodeParameters(properties, stored, true, false, node, described(name))!;
}

interface Operation {
	readonly stored: INodeParameters;
	readonly option: INodePropertyOptions;
}

/** Lists each operation, with the fewest parameters that a workflow can store for it. */
function operationsOf(name: string): Operation[] {
	const { properties } = described(name);
	const resources = properties.find((one) => one.name === 'resource')!.options ?? [];
	const menus = properties.filter((one) => one.name === 'operation');
	return menus.flatMap(({ options = [], displayOptions }) =>
		(options as INodePropertyOptions[]).map((option) => ({
			stored: {
				operation: option.value,
				...(resources.length > 1 && { resource: displayOptions?.show?.resource?.[0] as string }),
			},
			option,
		})),
	);
}

/** Returns the subtitle of a node, which n8n shows below the node in a workflow. */
function subtitleOf(name: string, stored: INodeParameters): unknown {
	const node = nodeNamed(name);
	const workflow = buildWorkflow({ node, parameters: stored, credentials: {} });
	return workflow.expression.getSimpleParameterValue(
		workflow.getNode(TESTED_NAME)!,
		node.description.subtitle!,
		'internal',
		{},
	);
}

describe.each(actions)('%s', (name) => {
	test('shows an AI agent what each operation does, not what the node does', () => {
		for (const { stored, option } of operationsOf(name)) {
			expect(NodeHelpers.makeDescription(filled(name, stored), described(name))).toBe(
				`${option.action} in ${described(name).displayName}`,
			);
		}
	});

	test('says what it costs where an operation is carried out at most once', () => {
		for (const { option } of operationsOf(name)) {
			if (!/at most once/.test(option.description!)) continue;
			expect(option.description).toMatch(/\b(spends|uses storage|counts towards)\b/);
		}
	});

	test('has an action for each operation that reads as a task and is no other one', () => {
		const tasks = operationsOf(name).map(({ option }) => option.action!);
		expect(new Set(tasks).size).toBe(tasks.length);
		for (const task of tasks) expect(task).toMatch(/^[A-Z][a-z]+ .*[a-z0-9)]$/i);
	});

	test('says on the canvas in words what it does', () => {
		for (const { stored } of operationsOf(name)) {
			const words = subtitleOf(name, stored);
			expect(words).toMatch(/^[a-z]+( [\w-]+)*$/);
			// n8n cuts subtitles that are longer.
			expect(String(words).length).toBeLessThanOrEqual(28);
		}
	});

	test('has a row for the menu of resources only where there is something to choose', () => {
		const menus = described(name).properties.filter((one) => one.name === 'resource');
		for (const { type, options = [] } of menus) {
			expect(type).toBe(options.length > 1 ? 'options' : 'hidden');
		}
	});

	test("shows each operation, without which it does not exist for n8n's builder", () => {
		const menus = described(name).properties.filter((one) => one.name === 'operation');
		expect(menus.map(({ type }) => type)).toEqual(menus.map(() => 'options'));
	});

	test('has no JSON editor that complains before anything was typed', () => {
		for (const { displayName, type, default: usual } of fieldsIn(described(name).properties)) {
			if (type === 'json') expect([displayName, usual]).not.toEqual([displayName, '']);
		}
	});
});

function fieldsIn(properties: readonly INodeProperties[]): INodeProperties[] {
	return properties.flatMap((one) => [one, ...fieldsIn((one.options ?? []).flatMap(inside))]);
}

function inside(option: object): INodeProperties[] {
	if ('values' in option) return option.values as INodeProperties[];
	return 'type' in option ? [option as INodeProperties] : [];
}

/** The gRPC trigger is left out, because users type its method and choose no event. */
describe.each(triggers.filter((name) => name !== 'GrpcTrigger'))('%s', (name) => {
	test('says on the canvas in words what it waits for', () => {
		const events = described(name).properties.find((one) => one.name === 'event')?.options ?? [];
		expect(events.length).toBeGreaterThan(1);
		for (const event of events as INodePropertyOptions[]) {
			expect(subtitleOf(name, { event: event.value })).toBe(event.name.toLowerCase());
		}
	});
});

describe.each(triggers)('the panel of %s', (name) => {
	const panel = () => described(name).triggerPanel as TriggerPanelDefinition;

	test('says what a click does, and what a published workflow does', () => {
		const { executionsHelp, activationHint } = panel() as Required<TriggerPanelDefinition>;
		for (const help of Object.values(executionsHelp)) {
			expect(help).toMatch(/^<b>While building your workflow<\/b>, click the button/);
			expect(help).toMatch(/publish.*<a data-key="executions">executions list<\/a>/);
		}
		for (const hint of Object.values(activationHint)) expect(hint).toMatch(/publish/i);
	});
});

test.each(names)("%s uses n8n's word for what was activating: publish", (name) => {
	expect(JSON.stringify(Object.values(textsIn(described(name))))).not.toMatch(/activat/i);
});

/** Collects all texts of a description, without its keys. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/**
 * n8n runs the regular expressions of a description for each execution. On a busy machine, it stops them after a
 * quarter of a second and fails the run.
 */
test.each(names)('%s draws no field by a regular expression', (name) => {
	expect(comparisonsIn(described(name))).not.toContain('regex');
});

test('regular expressions would be found', () => {
	const hide = { other: [{ _cnd: { regex: 'a' } }, { _cnd: { not: 'b' } }] };
	expect(comparisonsIn({ properties: [{ options: [{ displayOptions: { hide } }] }] })).toEqual([
		'regex',
		'not',
	]);
});

/** Collects the comparisons in the conditions of a description. */
function comparisonsIn(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, part]) =>
		key === '_cnd' ? Object.keys(part as object) : comparisonsIn(part),
	);
}

test.each([
	['EvmRpc', { resource: 'account', operation: 'getBalance' }, 'get balance of account'],
	['EvmRpc', { resource: 'rpc' }, 'call any JSON-RPC method'],
	['Trace', {}, 'find calls and transfers'],
	['WitnessWallet', { operation: 'create' }, 'build witness registration'],
	['Platform', { resource: 'project' }, 'get many projects'],
	['Faucet', { chain: 'amoy' }, 'amoy'],
	['Utilities', { resource: 'address', operation: 'compute' }, 'compute address of contract'],
])('%s with %p has the subtitle "%s"', (name, stored, subtitle) => {
	expect(subtitleOf(name, stored)).toBe(subtitle);
});
