import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor } from 'n8n-core';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { createEngine } from './engineServices.mts';
import { TESTED_NAME, buildWorkflow, type TestedNode } from './workflow.mts';

type PollError = Error & { readonly description?: string | null };

/** The outcome of one poll: items, which n8n does not have yet, or a failure. */
export interface PollResult {
	readonly items: readonly IDataObject[];
	readonly error?: PollError;
}

interface PollingSettings {
	/** The static data in n8n's database, as JSON, from an earlier life of the workflow. */
	readonly saved?: string;
	/** The milliseconds that a poll may take; n8n has a limit of its own. */
	readonly budget?: number;
}

/** An active workflow that begins with a polling node, as n8n runs it. */
export function createPollingWorkflow(
	tested: TestedNode,
	{ saved = '{}', budget }: PollingSettings = {},
) {
	const workflow = buildWorkflow(tested, { staticData: JSON.parse(saved) as IDataObject });
	const node = workflow.getNode(TESTED_NAME) as INode;
	const { additionalData } = createEngine(tested);
	let inDatabase = saved;

	/** n8n saves with every result that starts an execution, and after an activation. */
	function save() {
		if (workflow.staticData.__dataChanged) inDatabase = JSON.stringify(workflow.staticData);
		workflow.staticData.__dataChanged = false;
	}

	async function run(isActivation: boolean): Promise<PollResult> {
		let items: readonly IDataObject[] = [];
		let error: PollError | undefined;
		const emit = ([output = []]: INodeExecutionData[][]) => {
			save();
			items = output.map(({ json }) => json);
		};
		const context = new PollContext(
			workflow,
			node,
			additionalData,
			'trigger',
			isActivation ? 'activate' : 'update',
			emit,
			(failure) => (error = failure),
			undefined,
			undefined,
			undefined,
			budget === undefined ? undefined : () => budget,
		);
		const poll = Container.get(PollTriggerExecutor).create(workflow, node, context, () => true);
		await poll(isActivation);
		return { items, error };
	}

	return {
		workflow,
		/** Runs the first poll of a life. Its failure is thrown: n8n does not activate the workflow. */
		activate: async () => {
			const polled = await run(true);
			save();
			return polled;
		},
		poll: async () => await run(false),
		/** The state that a restarted n8n finds after a kill. */
		saved: () => inDatabase,
		/** The state in memory. */
		inMemory: () => JSON.stringify(workflow.staticData),
	};
}
