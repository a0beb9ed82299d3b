import { createSandbox } from '../../../test/harness/sandbox.mts';
import { paid } from './payNode.mts';
import { buildScene } from './scenes.mts';

const sandbox = createSandbox({ chain: true });

test('an address of the credential that a node echoes is struck from the reason', async () => {
	const { nodeUrl } = sandbox;
	const { to, rules } = await buildScene(sandbox, 'evm');
	const body = { error: { message: `no room at ${nodeUrl}` } };
	await sandbox.fault({ sends: 'evm', times: -1, do: { status: 400, body } });
	const paying = { operation: 'pay', to, amount: '0.001', waitFor: 1, options: { guard: 0 } };
	const [payment] = await paid(sandbox, { chain: 'evm', ...paying }, { rules });
	const signedTransaction = String(payment?.signedTransaction);
	const finishing = { operation: 'finish', chain: 'evm', signedTransaction, waitFor: 1 };
	const [finished] = await paid(sandbox, finishing);
	const reason: unknown = expect.stringContaining('no room at');
	expect([payment, finished]).toMatchObject(Array(2).fill({ status: 'unknown', reason }));
	expect(JSON.stringify([payment, finished])).not.toContain(new URL(nodeUrl).origin);
});
