import type { INodeParameters } from 'n8n-workflow';
import { EvmRpc } from '../../../../nodes/EvmRpc/EvmRpc.node';
import { runNode, type NodeRun } from '../../../harness/engine.mts';
import type { Sandbox } from '../../../harness/sandbox.mts';

const node = new EvmRpc();

/** Creates functions that run the node Chain EVM RPC against a sandbox. */
export function evmRpcAt(sandbox: Sandbox) {
	const run = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
		await runNode({
			node,
			parameters,
			credentials: sandbox.credentials.token,
			...more,
		});
	return {
		run,
		/** Runs the node, and returns the first item, or the error. */
		first: async (parameters: INodeParameters, more: Partial<NodeRun> = {}) => {
			const { items, error } = await run(parameters, more);
			return items[0]?.json ?? error;
		},
		/** Lists the JSON-RPC calls that the n8n node has sent, with a list for each request. */
		calls: async () =>
			(await sandbox.record()).map(({ path, body }) => ({
				path,
				calls: [body].flat() as Array<{ method: string; params: unknown[] }>,
			})),
	};
}
