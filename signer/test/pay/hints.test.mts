import { Address } from '@ton/core';
import type { INodeParameters } from 'n8n-workflow';
import { createSandbox, TEST_ADDRESS } from '../../../test/harness/sandbox.mts';
import { runPay } from './payNode.mts';
import { ADDRESSES, buildScene, type PayScene } from './scenes.mts';

/** Tests of the hints that Chain Pay shows above its output, once in each run. */

const sandbox = createSandbox({ chain: true });

/** Runs two payments that nobody made before, and returns the hints about them. */
async function hintsOf(operation: string, scene: PayScene, more: INodeParameters = {}) {
	const { chain, to, rules } = scene;
	const asked = { operation, chain, to, amount: '={{ $json.amount }}', options: { guard: 0 } };
	const items = [{ amount: '0.0011' }, { amount: '0.0012' }];
	const {
		hints,
		error,
		items: given,
	} = await runPay(sandbox, { ...asked, ...more }, { rules, items });
	expect(error?.message).toBeUndefined();
	expect(given).toHaveLength(2);
	return hints;
}

const TEST_NETWORK: unknown = expect.stringMatching(
	/test network.*: payments there are worth nothing/,
);

describe('a test network', () => {
	test('is recognized by the chain ID of a STARK rollup', async () => {
		const scene = await buildScene(sandbox, 'stark');
		expect(await hintsOf('preview', scene)).toEqual([TEST_NETWORK]);
		expect(await hintsOf('pay', scene)).toEqual([TEST_NETWORK]);
	});

	test('is recognized by the chain ID of an EVM chain', async () => {
		const scene = await buildScene(sandbox, 'evm');
		expect(await hintsOf('preview', scene)).toEqual([]);
		await sandbox.chain('anvil_setChainId', 11_155_111);
		try {
			expect(await hintsOf('preview', scene)).toEqual([TEST_NETWORK]);
		} finally {
			await sandbox.chain('anvil_setChainId', 31_337);
		}
	});

	test('is recognized by an address of TON', async () => {
		const scene = await buildScene(sandbox, 'ton');
		expect(await hintsOf('preview', scene)).toEqual([]);
		const testOnly = Address.parse(scene.to).toString({ bounceable: false, testOnly: true });
		expect(await hintsOf('preview', scene, { to: testOnly })).toEqual([TEST_NETWORK]);
	});
});

test('transactions that wait before a payment are counted', async () => {
	const scene = await buildScene(sandbox, 'evm');
	await sandbox.chain('evm_setAutomine', false);
	try {
		const waiting = { from: TEST_ADDRESS, to: scene.to, value: '0x1', gas: '0x5208' };
		for (let sent = 0; sent < 20; sent++) await sandbox.chain('eth_sendTransaction', waiting);
		expect(await hintsOf('preview', scene)).toEqual([
			expect.stringMatching(/^20 transactions of 0x7099\w+ are in no block yet/),
		]);
	} finally {
		await sandbox.chain('evm_setAutomine', true);
		await sandbox.chain('evm_mine');
	}
});

test('a receiver that is new to the witness chain costs a fee', async () => {
	const scene = await buildScene(sandbox, 'witness');
	const balances = { [scene.from]: 100 };
	await sandbox.control('PUT', '/wallet', { defaultBalance: 0, defaultFrozen: 0, balances });
	expect(await hintsOf('preview', scene, { to: ADDRESSES.witness })).toEqual([
		expect.stringMatching(/^The chain takes a fee for each receiver that is new to it/),
	]);
});

test('payments that are unknown are said to be, in Pay and in Finish', async () => {
	const { to, rules } = await buildScene(sandbox, 'evm');
	await sandbox.fault({
		sends: 'evm',
		times: -1,
		do: { status: 400, body: { error: { message: 'no' } } },
	});
	const paying = { operation: 'pay', chain: 'evm', to, waitFor: 1, options: { guard: 0 } };
	const items = [{ amount: '0.0021' }, { amount: '0.0022' }];
	const paid = await runPay(
		sandbox,
		{ ...paying, amount: '={{ $json.amount }}' },
		{ rules, items },
	);
	const unknown: unknown = expect.stringMatching(
		/^The outcome of a payment is unknown\. Run Finish with its item/,
	);
	expect(paid.hints).toEqual([unknown]);
	const signedTransaction = String(paid.items[0]?.json.signedTransaction);
	const finishing = { operation: 'finish', chain: 'evm', signedTransaction, waitFor: 1 };
	expect((await runPay(sandbox, finishing)).hints).toEqual([unknown]);
});
