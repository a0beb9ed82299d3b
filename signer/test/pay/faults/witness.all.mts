import { createSandbox } from '../../../../test/harness/sandbox.mts';
import { paid, runPay } from '../payNode.mts';
import { buildScene } from '../scenes.mts';
import { testFaults } from './suite.mts';

const sandbox = createSandbox({ chain: true });
testFaults(sandbox, 'witness');

test('on the witness chain, Finish refuses a transaction whose JSON says something else than its bytes', async () => {
	const scene = await buildScene(sandbox, 'witness');
	const before = await scene.readBalance();
	await sandbox.fault({ sends: 'witness', do: { status: 401, body: {} } });
	const paying = { operation: 'pay', chain: 'witness', to: scene.to, amount: '1.5', waitFor: 0 };
	const [payment] = await paid(
		sandbox,
		{ ...paying, options: { guard: 0 } },
		{ rules: scene.rules },
	);
	const signed = String(payment?.signedTransaction);
	const changed = signed.replace(/"amount": ?1500000/, '"amount":1');
	expect(changed).not.toBe(signed);
	const finishing = { operation: 'finish', chain: 'witness' };
	const { error } = await runPay(sandbox, { ...finishing, signedTransaction: changed });
	expect(error?.message).toMatch(
		/^'Signed Transaction' must be a transaction that matches its raw_data_hex: \S*amount is 1 in raw_data/,
	);
	expect(await scene.readBalance()).toBe(before);
	const [finished] = await paid(sandbox, { ...finishing, signedTransaction: signed });
	expect(finished).toMatchObject({ status: 'confirmed', amount: '1.5' });
});
