import { TonTrigger } from '../../nodes/TonTrigger/TonTrigger.node';
import { ActivityTrigger } from '../../nodes/ActivityTrigger/ActivityTrigger.node';
import { StarkTrigger } from '../../nodes/StarkTrigger/StarkTrigger.node';
import { WitnessWalletTrigger } from '../../nodes/WitnessWalletTrigger/WitnessWalletTrigger.node';
import { buildTonScene } from '../cases/tonScene.mts';
import { deployContract } from '../harness/contract.mts';
import { openExample } from '../harness/exampleWorkflow.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { readStarkInfo, sendStarkCalls } from '../harness/starkChain.mts';

/** These tests run the example that stores the payments of several chains in one table, each only once. */

const sandbox = createSandbox({ chain: true });
const PAYEE = `0x${'a1'.padStart(40, '0')}`;

const open = () =>
	openExample('take-payments-on-any-chain', {
		own: {
			'n8n-nodes-chain-infra.activityTrigger': new ActivityTrigger(),
			'n8n-nodes-chain-infra.witnessWalletTrigger': new WitnessWalletTrigger(),
			'n8n-nodes-chain-infra.tonTrigger': new TonTrigger(),
			'n8n-nodes-chain-infra.starkTrigger': new StarkTrigger(),
		},
		credentials: sandbox.credentials.token,
		sign: () => ({}),
	});

async function payOnEvm() {
	const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const data = coin.data('transfer(address,uint256)', BigInt(PAYEE), 2_500_000n);
	await sandbox.mined({ from: coin.owner, to: coin.address, gas: '0x186a0', data });
	return { tokens: coin.address, accounts: PAYEE, options: { minAmount: '0.01' } };
}

async function payOnTon() {
	const { owner, jetton } = await buildTonScene(sandbox.control);
	const payment = { to: owner, amount: '900000', jetton, comment: 'Invoice 7' };
	await sandbox.control('POST', '/ton/pay', payment);
	return { addresses: owner, jettons: jetton };
}

async function payOnStark() {
	const { accounts, contracts } = await readStarkInfo(sandbox.control);
	const [tokens = '', payee = ''] = [contracts.newToken?.address, accounts[1]?.address];
	const calldata = [payee, '0x2625a0', '0x0'];
	await sendStarkCalls(sandbox.control, { to: tokens, function: 'transfer', calldata });
	return { tokens, accounts: payee };
}

test('payments of all chains are rows of the same columns, and a second run adds none', async () => {
	const example = open();
	const triggers = [
		['Paid on EVM', await payOnEvm()],
		['Paid on TON', await payOnTon()],
		['Paid on STARK', await payOnStark()],
	] as const;
	for (const times of [1, 2]) {
		for (const [name, parameters] of triggers)
			expect([times, name, await example.runTrigger(name, parameters)]).toEqual([
				times,
				name,
				undefined,
			]);
	}
	expect(
		example.table.map(({ chain, amount, symbol, comment, removed }) => [
			chain,
			amount,
			symbol,
			comment,
			removed,
		]),
	).toEqual([
		['evm', '2.5', 'TC€', '', false],
		['ton', '0.9', 'SBD', 'Invoice 7', false],
		['stark', '2.5', expect.any(String), '', false],
	]);
	const columns = example.table.map((row) => Object.keys(row).toSorted());
	expect(new Set(columns.map(String)).size).toBe(1);
});
