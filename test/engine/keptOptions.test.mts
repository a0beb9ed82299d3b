import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { runNode } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox({ chain: true });

/** n8n must keep a stored option that the definition for AI models leaves out, and an option of another operation. */
test.each([
	[1, 3],
	[100, 1],
])('a stored batch size of %d makes %d requests of three reads', async (batchSize, requests) => {
	await sandbox.chain('anvil_mine', '0x3');
	const { items, error } = await runNode({
		node: new EvmRpc(),
		parameters: {
			resource: 'block',
			operation: 'get',
			block: '={{ $json.number }}',
			options: { batchSize, gas: 'nonsense' },
		},
		credentials: sandbox.credentials.token,
		items: ['0', '1', '2'].map((number) => ({ json: { number } })),
	});
	expect(error).toBeUndefined();
	expect(items).toHaveLength(3);
	expect(await sandbox.record()).toHaveLength(requests);
});
