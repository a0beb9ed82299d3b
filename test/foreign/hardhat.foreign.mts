import type { IDataObject } from 'n8n-workflow';
import { keccak256, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { ActivityTrigger } from '../../nodes/ActivityTrigger/ActivityTrigger.node';
import { evmRpcAt } from '../engine/evmRpc/support/scene.mts';
import { scene } from '../engine/evmRpcTrigger/support/scene.mts';
import { deployContract } from '../harness/contract.mts';
import { createPollingWorkflow } from '../harness/poll.mts';

// Hardhat differs from anvil in its revert messages, in the gas limit of a call, and in mining transactions that it
// reports as errors.

const { sandbox, on, active } = scene();
const { first, run } = evmRpcAt(sandbox);

const payer = mnemonicToAccount('test test test test test test test test test test test junk', {
	addressIndex: 3,
});
const payee = `0x${'a1'.padStart(40, '0')}`;

let coin: Awaited<ReturnType<typeof deployContract>>;
let store: Awaited<ReturnType<typeof deployContract>>;

beforeAll(async () => {
	coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	store = await deployContract(sandbox, 'Store');
});

const pay = async (amount: number) =>
	await sandbox.mined({
		from: coin.owner,
		to: coin.address,
		data: coin.data('transfer(address,uint256)', BigInt(payee), amount),
	});
const whole = { symbol: 'TC€', decimals: 6, amount: '1.5' };

test('the chain is hardhat', async () => {
	expect(
		await first({ resource: 'rpc', operation: 'request', method: 'web3_clientVersion' }),
	).toEqual({
		result: expect.stringMatching(/^HardhatNetwork/),
	});
});

test('both triggers emit transfers in whole coins', async () => {
	const watched = { event: 'tokenTransfer', tokens: coin.address, accounts: payee };
	const trigger = await active(on(watched));
	const polling = createPollingWorkflow({
		node: new ActivityTrigger(),
		parameters: watched,
		credentials: sandbox.credentials.token,
	});
	expect(await polling.activate()).toEqual({ items: [], error: undefined });
	await pay(1_500_000);
	expect(await trigger.has(1)).toMatchObject([whole]);
	expect((await polling.poll()).items).toMatchObject([whole]);
});

describe('what reverts', () => {
	const set = () => ({ to: store.address, function: 'set(uint256 wanted)', arguments: '[100]' });

	test.each(['call', 'estimateGas'])('%s reports the reason', async (operation) => {
		const error = await first({
			resource: 'contract',
			operation,
			argumentsBy: 'json',
			...set(),
		});
		expect(error).toMatchObject({ message: expect.stringMatching(/too big/) });
	});

	test.each(['call', 'estimateGas'])('%s reports a custom error by name', async (operation) => {
		const abi = ['function deny() view', 'error Denied(address who)'].join('\n');
		const error = await first({
			resource: 'contract',
			operation,
			to: store.address,
			callBy: 'function',
			function: abi,
			functionName: 'deny',
			argumentsBy: 'json',
			arguments: '[]',
		});
		expect(error).toMatchObject({
			message: expect.stringMatching(/Denied\(who: 0x[0-9a-fA-F]{40}\)/),
		});
	});
});

describe('send', () => {
	const send = async (transaction: Hex) =>
		await first({ resource: 'transaction', operation: 'send', signedTransaction: transaction });

	async function signed(more: object): Promise<Hex> {
		const nonce = Number(await sandbox.chain('eth_getTransactionCount', payer.address, 'pending'));
		return await payer.signTransaction({
			type: 'eip1559',
			chainId: 31337,
			nonce,
			gas: 100_000n,
			to: payee as Hex,
			maxFeePerGas: 10n ** 11n,
			maxPriorityFeePerGas: 1n,
			...more,
		});
	}

	test('of one that is mined and reverts gives its hash, whatever the node answers', async () => {
		const data = store.data('set(uint256)', 100) as Hex;
		const transaction = await signed({ to: store.address as Hex, data });
		const transactionHash = keccak256(transaction);
		expect(await send(transaction)).toEqual({
			result: transactionHash,
			transactionHash,
			wasKnown: true,
		});
		expect(
			await first({ resource: 'transaction', operation: 'wait', transactionHash }),
		).toMatchObject({ transactionHash, status: 'reverted' });
	});

	test('of one that is mined already is a success', async () => {
		const transaction = await signed({ value: 1n });
		const transactionHash = keccak256(transaction);
		expect(await send(transaction)).toMatchObject({ transactionHash, wasKnown: false });
		expect(await send(transaction)).toMatchObject({ transactionHash, wasKnown: true });
	});

	test('of one that can not be paid for fails with the words of the node and the hash', async () => {
		const transaction = await signed({ value: 10n ** 30n });
		const { error } = await run({
			resource: 'transaction',
			operation: 'send',
			signedTransaction: transaction,
		});
		expect(error?.message).toMatch(/enough funds/i);
		expect((error as IDataObject | undefined)?.description).toContain(keccak256(transaction));
	});
});
