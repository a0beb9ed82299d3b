import type { INodeParameters } from 'n8n-workflow';
import { ActivityTrigger } from '../../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { createFakeNode } from '../../../harness/fakeNode.mts';
import { createPollingWorkflow } from '../../../harness/poll.mts';
import { TRACED_ADDRESS } from '../../../harness/fakeChain.mts';

export const WATCHING: INodeParameters = { event: 'addressActivity', addresses: TRACED_ADDRESS };

/** Workflows that poll a fake node. */
export function fakeWorkflows() {
	const node = createFakeNode();
	return {
		node,
		/** A workflow that has begun at the head. */
		active: async (parameters: INodeParameters) => {
			const workflow = createPollingWorkflow({
				node: new ActivityTrigger(),
				parameters: { authentication: 'token', ...parameters },
				credentials: node.credentials,
			});
			expect(await workflow.activate()).toEqual({ items: [], error: undefined });
			return workflow;
		},
	};
}
