import { Container } from '@n8n/di';
import { PollContext, PollTriggerExecutor } from 'n8n-core';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { createEngine } from './engineServices.mts';
import { TESTED_NAME, buildWorkflow, type TestedNode } from './workflow.mts';

type PollError = Error & { readonly description?: string | null };

/** The outcome of one poll: the items that the trigger returned to n8n, or the error of a failed poll. */
export interface PollResult {
	readonly items: readonly IDataObject[];
	readonly error?: PollError;
}

interface PollingSettings {
	/** The static data in n8n's database as JSON, left by an earlier activation of the workflow. */
	readonly saved?: string;
	/** The time limit of a poll in milliseconds. n8n sets its own by default. */
	readonly budget?: number;
}

/** Creates an active workflow that begins with a polling node, and polls as n8n does. */
export function createPollingWorkflow(
	tested: TestedNode,
	{ saved = '{}', budget }: PollingSettings = {},
) {
	const workflow = buildWorkflow(tested, { staticData: JSON.parse(saved) as IDataObject });
	const node = workflow.getNode(TESTED_NAME) as INode;
	const { additionalData } = createEngine(tested);
	let inDatabase = saved;

	/** Saves the static data. n8n does so with every result that starts an execution, and after an activation. */
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
		/**
		 * Runs the first poll after an activation. Its failure is thrown, because n8n then does not activate the workflow.
		 */
		activate: async () => {
			const polled = await run(true);
			save();
			return polled;
		},
		poll: async () => await run(false),
		/** Returns the static data that n8n finds in its database when it restarts after a kill. */
		saved: () => inDatabase,
		/** Returns the static data in memory as JSON. */
		inMemory: () => JSON.stringify(workflow.staticData),
	};
}
