import { setTimeout as sleep } from 'node:timers/promises';
import type { Execution } from '../demo/run/api.mts';
import type { MeasuredN8n } from './n8n.mts';

export interface WorkflowStep {
	readonly name: string;
	readonly type: string;
	readonly typeVersion: number;
	readonly parameters: object;
	readonly [setting: string]: unknown;
}

export const MEASURED_NODE = 'Measured';
export const START_NODE = 'Start';
const TIMEOUT_MS = 900_000;

/** A node of this package. */
export function ourNode(
	{ credentials }: Pick<MeasuredN8n, 'credentials'>,
	type: string,
	parameters: object,
): WorkflowStep {
	const node = `n8n-nodes-chain-infra.${type}`;
	return { name: MEASURED_NODE, type: node, typeVersion: 1, parameters, credentials };
}

/** Builds the node that reads a file from the disk. */
export function readFileNode(file: string): WorkflowStep {
	const parameters = { operation: 'read', fileSelector: file, options: {} };
	return { name: 'Read File', type: 'n8n-nodes-base.readWriteFile', typeVersion: 1, parameters };
}

/** n8n's HTTP Request node. */
export function httpRequestNode({ credentials }: MeasuredN8n, parameters: object): WorkflowStep {
	const type = 'n8n-nodes-base.httpRequest';
	return { name: MEASURED_NODE, type, typeVersion: 4.2, parameters, credentials };
}

export const authentications = {
	none: {},
	bearer: { authentication: 'genericCredentialType', genericAuthType: 'httpBearerAuth' },
	predefined: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'chainNodeTokenApi',
	},
} as const;

/** Saves a workflow whose trigger passes the given items to the given steps. */
export async function saveWorkflow(
	{ api }: Pick<MeasuredN8n, 'api'>,
	items: readonly object[],
	...steps: WorkflowStep[]
): Promise<string> {
	const trigger = {
		name: START_NODE,
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		parameters: {},
	};
	const all = [trigger, ...steps];
	const nodes = all.map((one, index) => ({ ...one, id: one.name, position: [index * 240, 0] }));
	const wires = steps.map(({ name }, index) => [
		all[index]?.name,
		{ main: [[{ node: name, type: 'main', index: 0 }]] },
	]);
	return await api.createWorkflow({
		name: `Benchmark of ${steps.at(-1)?.type}`,
		nodes,
		connections: Object.fromEntries(wires),
		settings: { executionOrder: 'v1' },
		pinData: { [START_NODE]: items.map((json) => ({ json })) },
	});
}

/**
 * Runs a workflow once. Returns the time of the measured node as n8n recorded it, and the number of its output items.
 */
export async function runWorkflow(n8n: MeasuredN8n, workflow: string) {
	const execution = await waitForEnd(n8n, await n8n.api.runWorkflow(workflow, START_NODE));
	const [measured] = execution.data.resultData.runData[MEASURED_NODE] ?? [];
	if (execution.status !== 'success' || !measured) {
		throw new Error(execution.data.resultData.error?.message ?? `It ended as ${execution.status}`);
	}
	const items = measured.data?.main?.[0] ?? [];
	return {
		milliseconds: (measured as unknown as { executionTime: number }).executionTime,
		items: items.length,
		failed: items.filter(({ json }) => 'error' in json).length,
	};
}

/**
 * The pause between two requests for the status of an execution. Each request costs n8n about 40 ms of the measured
 * time.
 */
const LOOK_INTERVAL_MS = 700;

/**
 * Waits for the end of an execution. Until then it reads only the status, because reading a large execution costs n8n
 * time.
 */
async function waitForEnd({ api }: MeasuredN8n, id: string): Promise<Execution> {
	const filter = JSON.stringify({ status: ['running', 'new', 'waiting'] });
	const path = `/executions?filter=${encodeURIComponent(filter)}`;
	for (
		const deadline = Date.now() + TIMEOUT_MS;
		Date.now() < deadline;
		await sleep(LOOK_INTERVAL_MS)
	) {
		const running = await api.ask<{ results: Array<{ id: string }> }>('GET', path);
		if (!running.results.some((one) => one.id === id)) return await api.execution(id);
	}
	throw new Error(`Execution ${id} is still running after ${TIMEOUT_MS / 1000} s`);
}
