import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { createOperationRunner } from './run.mts';

export const TRANSFER_EVENT = 'Transfer(address indexed from, address indexed to, uint256 value)';

export async function runEvmTokens(world: World): Promise<Sample[]> {
	const { other, payer, token } = world;
	const run = createOperationRunner(world, 'evmRpc');
	const range = { fromBlock: 'earliest' };
	return [
		await run('log.getAll', {
			addresses: token,
			event: TRANSFER_EVENT,
			where: JSON.stringify({ to: payer }),
			...range,
		}),
		await run('token.get', { token }),
		await run('token.getAllowance', { token, owner: payer, spender: other }),
		await run('token.getBalance', { token, owner: payer }),
		await run('token.getTransfers', { tokens: token, accounts: payer, ...range }),
	];
}
