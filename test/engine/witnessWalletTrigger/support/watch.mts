import type { INodeParameters } from 'n8n-workflow';
import { utils } from 'tronweb';
import { WitnessWalletTrigger } from '../../../../nodes/WitnessWalletTrigger/WitnessWalletTrigger.node';
import { runManually } from '../../../harness/engine.mts';
import { createPollingWorkflow, type PollResult } from '../../../harness/poll.mts';
import type { TestServer } from '../../../harness/server.mts';
import { account, serveWitnessChain, WitnessChain } from '../../../harness/witnessChain.mts';

export const base58 = (name: string) => utils.address.fromHex(`41${account(name)}`);

/** Starts a server with a chain, and workflows that watch it without retries. */
export async function startWatch(chain = new WitnessChain()) {
	chain.mineEmpty(30);
	const server = await serveWitnessChain(chain);
	const tested = (
		parameters: INodeParameters,
		{ credentials }: Pick<TestServer, 'credentials'>,
	) => ({
		node: new WitnessWalletTrigger(),
		parameters: {
			...parameters,
			options: { maxRetries: 0, ...(parameters.options as object | undefined) },
		},
		credentials: credentials.token as never,
	});
	const workflow = (
		parameters: INodeParameters,
		life?: Parameters<typeof createPollingWorkflow>[1],
	) => createPollingWorkflow(tested(parameters, server), life);
	return {
		chain,
		server,
		workflow,
		/** Activates a workflow that starts at the latest block, and has no items yet. */
		active: async (parameters: INodeParameters) => {
			const begun = workflow(parameters);
			expect(await begun.activate()).toEqual({ items: [], error: undefined });
			return begun;
		},
		manually: async (parameters: INodeParameters) => await runManually(tested(parameters, server)),
		/** Makes all mined blocks irreversible. */
		settle: () => chain.mineEmpty(chain.lag),
	};
}

export type Watch = Awaited<ReturnType<typeof startWatch>>;

export function requireItems({ items, error }: PollResult) {
	if (error) throw error;
	return items;
}
