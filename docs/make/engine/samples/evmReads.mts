import { mnemonicToAccount } from 'viem/accounts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { createOperationRunner } from './run.mts';

const signer = mnemonicToAccount('test test test test test test test test test test test junk');

const BALANCE_FUNCTION = 'balanceOf(address owner) view returns (uint256 balance)';

export async function runEvmReads(world: World): Promise<Sample[]> {
	const { owner, payer, token, block, sandbox } = world;
	const run = createOperationRunner(world, 'evmRpc');
	const found = await sandbox.chain('eth_getBlockByNumber', `0x${block.toString(16)}`, false);
	const { timestamp } = found as { timestamp: string };
	const call = { to: token, function: BALANCE_FUNCTION, argumentsBy: 'json' };
	const message = 'Sign in to example.com: 4711';
	const signature = await signer.signMessage({ message });
	return [
		await run('account.getBalance', { address: payer }),
		await run('account.getCode', { address: payer }),
		await run('account.getTransactionCount', { address: payer }),
		await run('block.get', { block: String(block) }),
		await run('block.getByTime', { time: new Date(Number(timestamp) * 1000).toISOString() }),
		await run('block.getSystemTransactions', { block: '0' }),
		await run('chain.get'),
		await run('contract.call', { ...call, arguments: `["${payer}"]` }),
		await run('contract.estimateGas', {
			...call,
			function: 'transfer(address to, uint256 amount)',
			arguments: `["${payer}", 1000000]`,
			callOptions: { from: owner },
		}),
		await run('fee.get'),
		await run('fee.getMaxPriority'),
		await run('name.lookup', { address: payer }),
		await run('name.resolve', { name: 'wallet.example.eth', records: 'url' }),
		await run('rpc.request', { method: 'eth_getCode', params: `["${payer}", "latest"]` }),
		await run('signature.verify', { address: signer.address, message, signature }),
	];
}
