import type { INodeParameters } from 'n8n-workflow';
import { ActivityTrigger } from '../../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { createFakeNode, buildHash, type Call } from '../../../harness/fakeNode.mts';
import { createPollingWorkflow } from '../../../harness/poll.mts';

export const ADDRESS = `0x${'1'.repeat(40)}`;
export const WATCHING: INodeParameters = { event: 'addressActivity', addresses: ADDRESS };

/** A payment of the watched address to itself. */
export const traceOf = (number: number, index = 0, fork = Infinity) => ({
	blockNumber: number,
	blockHash: buildHash(number, fork),
	transactionHash: `0x${number}${index}`,
	transactionPosition: index,
	traceAddress: [] as number[],
	type: 'call',
	action: { from: ADDRESS, to: ADDRESS, value: '0x1', callType: 'call' },
	result: { gasUsed: '0x1' },
});

/** The blocks that a search spans; none on pages after the first. */
export function searched({ params: [filter] }: Call) {
	const { fromBlock, toBlock, after = 0 } = filter as Record<string, string>;
	return after === 0
		? { from: Number(fromBlock), to: Number(toBlock) }
		: { from: Infinity, to: -Infinity };
}

/** Workflows that poll a fake node. */
export function fakeWorkflows() {
	const node = createFakeNode();

	/** A workflow that polls this node. */
	const polling = (
		parameters: INodeParameters,
		life?: Parameters<typeof createPollingWorkflow>[1],
	) =>
		createPollingWorkflow(
			{
				node: new ActivityTrigger(),
				parameters: { authentication: 'token', ...parameters },
				credentials: node.credentials,
			},
			life,
		);

	return {
		node,
		polling,
		/** A workflow that has begun at the head. */
		active: async (parameters: INodeParameters) => {
			const workflow = polling(parameters);
			expect(await workflow.activate()).toEqual({ items: [], error: undefined });
			return workflow;
		},
	};
}
