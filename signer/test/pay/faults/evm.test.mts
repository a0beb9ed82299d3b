import { createSandbox } from '../../../../test/harness/sandbox.mts';
import { waitUntil } from '../../../../test/harness/until.mts';
import { runPay } from '../payNode.mts';
import { buildScene } from '../scenes.mts';
import { testFaults } from './suite.mts';

const sandbox = createSandbox({ chain: true });
testFaults(sandbox, 'evm');

test('where a later item cannot be signed, the error has the hash of what was sent before', async () => {
	const scene = await buildScene(sandbox, 'evm');
	const before = await scene.readBalance();
	await sandbox.fault({
		rpcMethod: 'eth_signTransaction',
		skip: 1,
		do: { status: 403, body: {} },
	});
	const { error } = await runPay(
		sandbox,
		{
			operation: 'pay',
			chain: 'evm',
			signWith: 'remote',
			to: scene.to,
			amount: '={{ $json.amount }}',
			options: { guard: 0 },
		},
		{ items: [{ amount: '0.0001' }, { amount: '0.0002' }, { amount: '0.0003' }] },
	);
	expect(error?.message).toContain('refused');
	expect(error?.description).toMatch(/(Carried out|Outcome unknown): item 0 \(0x[0-9a-f]{64}\)/);
	const readPaid = async () => (await scene.readBalance()) - before;
	// The first payment may still be on its way to the chain when the run ends.
	if (error?.description?.includes('Carried out'))
		await waitUntil(async () => (await readPaid()) > 0n);
	expect([0n, 100_000_000_000_000n]).toContain(await readPaid());
});
