import type { IDataObject, INodeParameters, Workflow } from 'n8n-workflow';
import { ActivityTrigger } from '../../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { runManually } from '../../../harness/engine.mts';
import { TRACED_ADDRESS } from '../../../harness/fakeChain.mts';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { createPollingWorkflow } from '../../../harness/poll.mts';
import type { TestedNode } from '../../../harness/workflow.mts';
import { createSandboxChain } from '../../../harness/sandboxChain.mts';

/** Creates workflows whose trigger polls with the given credentials. */
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
		/** Activates a workflow that starts at the latest block, and has no items yet. */
		active: async (parameters: INodeParameters) => {
			const workflow = createPollingWorkflow(tested(parameters));
			expect(await workflow.activate()).toEqual({ items: [], error: undefined });
			return workflow;
		},
		/** Tests the trigger by hand in n8n's editor, in the given workflow or in a new workflow. */
		manually: async (parameters: INodeParameters, workflow?: Workflow) =>
			await runManually(tested(parameters), workflow),
	};
}

/** Creates a chain for a test file, with accounts, and workflows that watch it. */
export function createWorld() {
	const chain = createSandboxChain();
	return { ...chain, ...createWorkflows(() => chain.sandbox.credentials.token) };
}

/** Creates a fake node for a test file, and workflows that watch its chain. */
export function createFakeWorld() {
	const node = createFakeNode();
	return { node, ...createWorkflows(() => node.credentials) };
}

/** The parameters of a trigger that watches the account that pays itself on the fake chain. */
export const WATCHING: INodeParameters = { event: 'addressActivity', addresses: TRACED_ADDRESS };

/** Formats each payment by its amount, with a sign that tells whether it was taken back. */
export function payments(items: readonly IDataObject[]): string[] {
	return items.map(({ value, removed }) => `${removed ? '-' : '+'}${value as string}`);
}
