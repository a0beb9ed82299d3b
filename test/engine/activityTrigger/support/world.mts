import type { IDataObject, INodeParameters, Workflow } from 'n8n-workflow';
import { ActivityTrigger } from '../../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { runManually } from '../../../harness/engine.mts';
import { TRACED_ADDRESS } from '../../../harness/fakeChain.mts';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { createPollingWorkflow } from '../../../harness/poll.mts';
import type { TestedNode } from '../../../harness/workflow.mts';
import { createSandboxChain } from '../../../harness/sandboxChain.mts';

/** Workflows that poll with these credentials. */
function createWorkflows(getCredentials: () => TestedNode['credentials']) {
	const tested = (parameters: INodeParameters, more: Partial<TestedNode> = {}): TestedNode => ({
		node: new ActivityTrigger(),
		parameters,
		credentials: getCredentials(),
		...more,
	});

	return {
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

/** A chain for one test file, its accounts, and workflows that watch it. */
export function createWorld() {
	const chain = createSandboxChain();
	return { ...chain, ...createWorkflows(() => chain.sandbox.credentials.token) };
}

/** A fake node for one test file, and workflows that watch its chain. */
export function createFakeWorld() {
	const node = createFakeNode();
	return { node, ...createWorkflows(() => node.credentials) };
}

/** Watches the account that pays itself on the fake chain. */
export const WATCHING: INodeParameters = { event: 'addressActivity', addresses: TRACED_ADDRESS };

/** Formats who paid whom how much, and whether it was taken back. */
export function payments(items: readonly IDataObject[]): string[] {
	return items.map(({ value, removed }) => `${removed ? '-' : '+'}${value as string}`);
}
