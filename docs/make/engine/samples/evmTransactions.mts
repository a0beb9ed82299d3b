import { mnemonicToAccount } from 'viem/accounts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { createOperationRunner } from './run.mts';

/** One of the chain's own accounts, from which nothing else here sends. */
const sender = mnemonicToAccount('test test test test test test test test test test test junk', {
	addressIndex: 8,
});

export async function runEvmTransactions(world: World): Promise<Sample[]> {
	const { transactionHash, blockHash, other } = world;
	const run = createOperationRunner(world, 'evmRpc');
	const signedTransaction = await sender.signTransaction({
		type: 'eip1559',
		chainId: 31337,
		nonce: 0,
		gas: 21_000n,
		value: 1n,
		to: other as `0x${string}`,
		maxFeePerGas: 10n ** 11n,
		maxPriorityFeePerGas: 1n,
	});
	return [
		await run('transaction.get', { transactionHash }),
		await run('transaction.getByBlockHashAndIndex', { blockHash, transactionIndex: '0' }),
		await run('transaction.getReceipt', { transactionHash }),
		await run('transaction.wait', { transactionHash }),
		await run('transaction.prepare', { from: sender.address, to: other, amount: '0.1' }),
		await run('transaction.send', { signedTransaction }),
	];
}
