import type { IDataObject, INodeParameters, Workflow } from 'n8n-workflow';
import { ActivityTrigger } from '../../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { runManually } from '../../../harness/engine.mts';
import { createPollingWorkflow } from '../../../harness/poll.mts';
import type { TestedNode } from '../../../harness/workflow.mts';
import { createSandboxChain } from '../../../harness/sandboxChain.mts';

/** A chain for one test file, its accounts, and workflows that watch it. */
export function createWorld() {
	const chain = createSandboxChain();

	const tested = (parameters: INodeParameters, more: Partial<TestedNode> = {}): TestedNode => ({
		node: new ActivityTrigger(),
		parameters,
		credentials: chain.sandbox.credentials.token,
		...more,
	});

	return {
		...chain,
		workflow: (
			parameters: INodeParameters,
			life?: Parameters<typeof createPollingWorkflow>[1],
			more?: Partial<TestedNode>,
		) => createPollingWorkflow(tested(parameters, more), life),
		/** A workflow that has begun at the head, without items. */
		active: async (parameters: INodeParameters) => {
			const workflow = createPollingWorkflow(tested(parameters));
			expect(await workflow.activate()).toEqual({ items: [], error: undefined });
			return workflow;
		},
		/** Tests the trigger by hand, in a workflow of its own or in this one. */
		manually: async (parameters: INodeParameters, workflow?: Workflow) =>
			await runManually(tested(parameters), workflow),
	};
}

/** Formats who paid whom how much, and whether it was taken back. */
export function payments(items: readonly IDataObject[]): string[] {
	return items.map(({ value, removed }) => `${removed ? '-' : '+'}${value as string}`);
}
