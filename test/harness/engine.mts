import { WorkflowExecute } from 'n8n-core';
import type { ExecutionError, INodeExecutionData, Workflow } from 'n8n-workflow';
import { createEngine } from './engineServices.mts';
import { SOURCE_NAME, TESTED_NAME, buildWorkflow, type TestedNode } from './workflow.mts';

export interface NodeRun extends TestedNode {
	/** The input items. By default, the node gets one empty item. */
	readonly items?: readonly INodeExecutionData[];
	/** When to stop the execution as n8n's Stop button does: after a number of milliseconds, or after a promise. */
	readonly stopAfter?: number | (() => Promise<unknown>);
}

export interface NodeResult {
	readonly items: readonly INodeExecutionData[];
	/** The items of the error branch, if the node has one. */
	readonly errorItems: readonly INodeExecutionData[];
	readonly error?: ExecutionError;
	readonly status: string;
	readonly decryptions: number;
	/** The hints above the output. */
	readonly hints: readonly string[];
}

/** Runs a node in n8n's own engine. A node before it passes on the input items. */
export async function runNode({ items = [{ json: {} }], ...run }: NodeRun): Promise<NodeResult> {
	return await runWorkflowFrom(SOURCE_NAME, run, buildWorkflow(run, { items }));
}

/** Runs a trigger in the same way as the test button of the n8n editor. */
export async function runManually(
	tested: TestedNode,
	workflow = buildWorkflow(tested),
): Promise<NodeResult> {
	return await runWorkflowFrom(TESTED_NAME, tested, workflow);
}

async function runWorkflowFrom(
	start: string,
	run: NodeRun,
	workflow: Workflow,
): Promise<NodeResult> {
	const { credentials, additionalData } = createEngine(run);
	const execution = new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode(start) ?? undefined,
	});
	const { stopAfter } = run;
	if (typeof stopAfter === 'number') setTimeout(() => execution.cancel(), stopAfter);
	else void stopAfter?.().then(() => execution.cancel());
	const { data, status } = await execution;
	const task = data.resultData.runData[TESTED_NAME]?.at(-1);
	const outputs = task?.data?.main ?? [];
	return {
		items: outputs[0] ?? [],
		errorItems: outputs[1] ?? [],
		error: task?.error ?? data.resultData.error,
		status,
		decryptions: credentials.decryptions,
		hints: (task?.hints ?? []).map(({ message }) => message),
	};
}
