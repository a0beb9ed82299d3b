import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Api, Execution, Workflow } from '../run/api.mts';
import type { Demo } from '../run/demo.mts';
import { type Example, examples } from './examples.mts';
import { isN8n1, root } from '../../tools/paths.mjs';
import { runStep } from '../../tools/progress.mjs';
import { findFamilies } from './families.mts';
import { collectResults } from './results.mts';
import type { Listed } from './startPage.mts';

const TIMEOUT_MS = 120_000;
const MANUAL_TRIGGER = 'Run by Hand';

export interface Result {
	example: string;
	/** The family of chains that the example belongs to. */
	family: string;
	outcome: 'succeeded' | 'failed' | 'imported';
	message: string;
	/** The workflow in n8n. It is undefined if the import failed. */
	workflow?: Listed;
}

type ExampleFile = Omit<Workflow, 'tags'> & { tags: ReadonlyArray<{ name: string }> };

/** Imports the examples, and runs those that need no input of the user. */
export async function runExamples(demo: Demo, chosen = examples): Promise<Result[]> {
	return await runStep('examples', 'Importing and running the examples', async () => {
		const inTurn = createAccountQueue();
		return await Promise.all(
			chosen.map(
				async (example) =>
					await inTurn(example.account, async () => await runExample(demo, example)),
			),
		);
	});
}

/** Creates a queue that runs jobs of the same account one after another, and other jobs at the same time. */
function createAccountQueue() {
	const last = new Map<string, Promise<unknown>>();
	return async <Result,>(account: string | undefined, job: () => Promise<Result>) => {
		if (account === undefined) return await job();
		const turn = (last.get(account) ?? Promise.resolve()).then(job);
		last.set(account, turn);
		return await turn;
	};
}

async function runExample(demo: Demo, example: Example): Promise<Result> {
	const { name, nodes, tags } = await readWorkflow(example.file);
	const [family = ''] = findFamilies(nodes);
	const about = { example: name, family };
	try {
		const { id } = await importExample(demo, example);
		const workflow = { id, name, tags: tags.map((tag) => tag.name), isFirst: !!example.isFirst };
		return { ...about, workflow, ...(await runWorkflow(demo, example, id)) };
	} catch (error) {
		return { ...about, outcome: 'failed', message: (error as Error).message };
	}
}

async function runWorkflow(demo: Demo, example: Example, workflowId: string) {
	const { outcome, makesTable } = example;
	const imported = (lack: string) =>
		({ outcome: 'imported', message: `not run: ${lack}` }) as const;
	if (!outcome) return imported('it needs a chat model of your own');
	if (makesTable && isN8n1) return imported('n8n 1 cannot make its table');
	await example.before?.(demo);
	const id = example.event
		? await startByEvent(demo, workflowId, example.event)
		: await demo.api.runWorkflow(workflowId, example.trigger ?? MANUAL_TRIGGER);
	const [execution] = await Promise.all([
		waitForExecution(demo.api, id),
		example.meanwhile?.(demo, id),
	]);
	if (execution.status !== 'success') throw new Error(formatFailure(execution));
	return { outcome: 'succeeded', message: await outcome(collectResults(execution)) } as const;
}

/** Activates a workflow until its trigger starts an execution. Returns the execution. */
async function startByEvent(
	demo: Demo,
	workflowId: string,
	event: (demo: Demo) => Promise<unknown>,
): Promise<string> {
	const { api } = demo;
	const before = new Set((await api.executions(workflowId)).map(({ id }) => id));
	await api.activate(workflowId);
	try {
		await event(demo);
		return await waitForNewExecution(before, api, workflowId);
	} finally {
		await api.deactivate(workflowId);
	}
}

async function waitForNewExecution(
	before: Set<string>,
	api: Api,
	workflowId: string,
): Promise<string> {
	for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(250)) {
		const started = await api.executions(workflowId);
		const fresh = started.find(({ id }) => !before.has(id));
		if (fresh) return fresh.id;
	}
	throw new Error(`the trigger did not start the workflow within ${TIMEOUT_MS / 1000} s`);
}

/** Imports an example with the settings of the demo. An existing workflow is reset. */
export async function importExample(demo: Demo, example: Example) {
	const { file, settings, trigger, triggerParameters, nodeParameters } = example;
	const { tags: names, ...rest } = await readWorkflow(file);
	const tags = await Promise.all(names.map(async ({ name }) => await demo.api.tag(name)));
	const workflow = { ...rest, id: file, tags };
	for (const [name, value] of Object.entries((await settings?.(demo)) ?? {})) {
		const setting = getSettings(workflow).find((one) => one.name === name);
		if (!setting) throw new Error(`${file} has no setting "${name}"`);
		setting.value = value;
	}
	const begin = workflow.nodes.find(({ name }) => name === trigger);
	Object.assign(begin?.parameters ?? {}, triggerParameters?.(demo));
	for (const [name, parameters] of Object.entries(nodeParameters?.(demo) ?? {}))
		Object.assign(workflow.nodes.find((one) => one.name === name)?.parameters ?? {}, parameters);
	await fillCredentials(demo.api, workflow);
	return { ...workflow, id: await demo.api.saveWorkflow(workflow) };
}

async function readWorkflow(file: string): Promise<ExampleFile> {
	const text = await readFile(join(root, 'examples', `${file}.json`), 'utf8');
	return JSON.parse(text) as ExampleFile;
}

/** Adds the ids of credentials to the nodes. Workflow files name credentials only, but n8n 1 needs their ids. */
async function fillCredentials({ ask }: Api, { nodes }: Workflow): Promise<void> {
	const saved = await ask<Array<{ id: string; name: string }>>('GET', '/credentials');
	for (const credential of nodes.flatMap(({ credentials = {} }) => Object.values(credentials))) {
		credential.id = saved.find(({ name }) => name === credential.name)?.id ?? null;
	}
}

function getSettings({ nodes }: Workflow) {
	const parameters = nodes.find(({ name }) => name === 'Settings')?.parameters;
	const { assignments } = parameters as {
		assignments: { assignments: Array<{ name: string; value: unknown }> };
	};
	return assignments.assignments;
}

/** Waits for the end of an execution. The pauses begin short, because most executions take a tenth of a second. */
export async function waitForExecution(api: Api, id: string): Promise<Execution> {
	const deadline = Date.now() + TIMEOUT_MS;
	for (let pause = 25; ; pause = Math.min(2 * pause, 250)) {
		const execution = await api.execution(id);
		if (!['new', 'running', 'waiting'].includes(execution.status)) return execution;
		if (Date.now() > deadline)
			throw new Error(`the execution is still ${execution.status} after ${TIMEOUT_MS / 1000} s`);
		await sleep(pause);
	}
}

function formatFailure({ status, data }: Execution): string {
	const { error } = data.resultData;
	if (!error) return `the execution ended as ${status}`;
	const words = [error.message, error.description].filter(Boolean).join(': ');
	return error.node ? `${error.node.name}: ${words}` : words;
}
