import type { Execution, Item } from '../../demo/run/api.mts';
import { waitForExecution } from '../../demo/examples/run.mts';
import type { Access } from '../cases/case.mts';
import { credential, demo, type CredentialType } from './world.mts';

export type Parameters = Record<string, unknown>;

export interface Node {
	name: string;
	type: string;
	typeVersion: number;
	parameters: Parameters;
	credentials?: Partial<Record<CredentialType, { id: string; name: string }>>;
	[setting: string]: unknown;
}

interface Flow {
	nodes: readonly Node[];
	connections: Readonly<Record<string, object>>;
	/** The items of the trigger. By default, there is one empty item. */
	items?: ReadonlyArray<Record<string, unknown>>;
	/** The settings of the workflow in addition to the default ones. */
	settings?: object;
}

export const START = 'Start';
/** The name of the tested node. */
export const TESTED = 'Tested';
const PACKAGE = 'n8n-nodes-chain-infra';
/** The suffixes of the other packages' names, by the credentials that belong to them. */
const SUFFIXES: Partial<Record<Access, string>> = {
	xToken: '-grpc',
	key: '-signer',
	remote: '-signer',
	starkKey: '-signer',
	tonKey: '-signer',
	payer: '-signer',
};
/** The credentials of nodes that show no menu for them, because the node or the operation takes only one kind. */
const ACCESSES_WITHOUT_MENU: readonly Access[] = [
	'platform',
	'xToken',
	'starkKey',
	'tonKey',
	'payer',
];

export function node(name: string, type: string, parameters: Parameters, more: object = {}): Node {
	return { name, type, typeVersion: 1, parameters, ...more };
}

const trigger = () => node(START, 'n8n-nodes-base.manualTrigger', {});

const TYPES: Record<Exclude<Access, 'nobody' | 'payer'>, CredentialType> = {
	platform: 'chainPlatformApi',
	token: 'chainNodeTokenApi',
	basicAuth: 'chainNodeBasicAuthApi',
	xToken: 'chainNodeXTokenApi',
	key: 'chainSignerKeyApi',
	remote: 'chainSignerRemoteApi',
	starkKey: 'chainSignerStarkApi',
	tonKey: 'chainSignerTonApi',
};

/** The credentials of Chain Pay: the credential of a chain node, and the keys for all kinds of chains. */
const PAYER_TYPES: readonly CredentialType[] = [
	...(['token', 'key', 'starkKey', 'tonKey'] as const).map((access) => TYPES[access]),
	'chainSignerDepositsApi',
];

/** Builds a node of one of our packages with its credential. */
export function ours(type: string, access: Access, parameters: Parameters, more: object = {}) {
	const name = `${PACKAGE}${SUFFIXES[access] ?? ''}.${type}`;
	if (access === 'nobody') return node(TESTED, name, parameters, more);
	const authentication = ACCESSES_WITHOUT_MENU.includes(access) ? {} : { authentication: access };
	const types = access === 'payer' ? PAYER_TYPES : [TYPES[access]];
	const credentials = Object.fromEntries(types.map((one) => [one, credential(one)]));
	const given = { ...authentication, ...parameters };
	return node(TESTED, name, given, { credentials, ...more });
}

export function code(name: string, jsCode: string): Node {
	const parameters = { mode: 'runOnceForEachItem', jsCode };
	return node(name, 'n8n-nodes-base.code', parameters, { typeVersion: 2 });
}

/** Builds a Set node whose output has only the given fields. */
export function set(name: string, fields: Record<string, string>): Node {
	const assignments = Object.entries(fields).map(([key, value]) => ({
		id: key,
		name: key,
		value,
		type: 'string',
	}));
	const parameters = { assignments: { assignments }, options: {} };
	return node(name, 'n8n-nodes-base.set', parameters, { typeVersion: 3.4 });
}

/** Builds connections from the outputs of a node, in order, to the named nodes. */
export function to(...outputs: string[]): object {
	return { main: outputs.map((name) => [{ node: name, type: 'main', index: 0 }]) };
}

/** Builds a workflow of a trigger and the given nodes, which follow one after another. */
export function line(...nodes: Node[]): Flow {
	const all = [trigger(), ...nodes];
	const wires = all.slice(1).map((next, index) => [all[index]?.name, to(next.name)]);
	return { nodes: all, connections: Object.fromEntries(wires) };
}

/** Saves a workflow, and returns its id. */
export async function save({ nodes, connections, items, settings: more }: Flow): Promise<string> {
	const placed = nodes.map((one, index) => ({
		...one,
		id: one.name,
		position: [index * 240, 0],
	}));
	const pinData = items ? { [START]: items.map((json) => ({ json })) } : {};
	const name = `Test of ${nodes.at(-1)?.type}`;
	const settings = { executionOrder: 'v1', ...more };
	const workflow = { name, nodes: placed, connections, settings, pinData };
	return await demo.api.createWorkflow(workflow);
}

/** Runs a workflow as the editor does, and waits for its end. */
export async function run(flow: Flow): Promise<Execution> {
	return await waitForExecution(demo.api, await demo.api.runWorkflow(await save(flow), START));
}

/** Returns the items of a node's last run, with a list for each output. */
export function outputs({ data }: Execution, name = TESTED): Item[][] {
	const last = data.resultData.runData[name]?.at(-1);
	return (last?.data?.main ?? []).map((items) => items ?? []);
}

/**
 * Runs a workflow, and returns the json of the tested node's first output. Throws the node's error message if it fails.
 */
export async function resultOf<T = Record<string, unknown>>(flow: Flow): Promise<T[]> {
	const execution = await run(flow);
	if (execution.status !== 'success') throw new Error(errorOf(execution).message);
	return (outputs(execution)[0] ?? []).map(({ json }) => json as T);
}

/** Returns three accounts of the chain. Their balances differ. */
export function people() {
	const { owner, other, payer } = demo.chain;
	return {
		owner: { name: 'owner', address: owner },
		other: { name: 'other', address: other },
		payer: { name: 'payer', address: payer },
	};
}

export function errorOf({ data }: Execution): { message: string; description?: string } {
	return data.resultData.error ?? { message: 'no error' };
}
