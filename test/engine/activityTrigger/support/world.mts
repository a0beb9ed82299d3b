import type { IDataObject, INodeParameters, Workflow } from 'n8n-workflow';
import { ActivityTrigger } from '../../../../nodes/ActivityTrigger/ActivityTrigger.node';
import { runManually } from '../../../harness/engine.mts';
import { createPollingWorkflow } from '../../../harness/poll.mts';
import { startSandbox } from '../../../harness/sandbox.mts';
import { waitUntil } from '../../../harness/until.mts';
import type { TestedNode } from '../../../harness/workflow.mts';

export type World = Awaited<ReturnType<typeof startWorld>>;

/** A chain, its accounts, and workflows that watch it. */
export async function startWorld() {
	const sandbox = await startSandbox({ chain: true });
	const accounts = (await sandbox.chain('eth_accounts')) as string[];
	const account = (index: number) => String(accounts[index]);

	const tested = (parameters: INodeParameters, more: Partial<TestedNode> = {}): TestedNode => ({
		node: new ActivityTrigger(),
		parameters,
		credentials: sandbox.credentials.token,
		...more,
	});

	return {
		sandbox,
		account,
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
		mine: async (blocks: number) => await sandbox.chain('anvil_mine', `0x${blocks.toString(16)}`),
		/** Sends coins from one account to another, in a block of its own. */
		pay: async (from: number, to: number, value = 1) =>
			(await sandbox.mined({ from: account(from), to: account(to), value: quantity(value) }))
				.transactionHash,
		height: async () => Number(await sandbox.chain('eth_blockNumber')),
		/** Waits until the node has received a call of this method. */
		asked: async (method: string) =>
			await waitUntil(async () => JSON.stringify(await sandbox.record()).includes(`"${method}"`)),
		/** Lists the calls that the node received, in batches or alone. */
		calls: async () =>
			(await sandbox.record()).flatMap(({ path, body }) =>
				([body].flat() as Call[]).map(({ method, params }) => ({ path, method, params })),
			),
	};
}

interface Call {
	readonly method: string;
	readonly params: readonly unknown[];
}

export function quantity(value: number): string {
	return `0x${value.toString(16)}`;
}

/** Formats who paid whom how much, and whether it was taken back. */
export function payments(items: readonly IDataObject[]): string[] {
	return items.map(({ value, removed }) => `${removed ? '-' : '+'}${value as string}`);
}
