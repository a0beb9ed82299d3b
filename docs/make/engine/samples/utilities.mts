import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { createOperationRunner } from './run.mts';

const TRANSFER_FUNCTION = 'transfer(address to, uint256 amount) returns (bool)';
const TO_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TRANSFER_DATA =
	'0xa9059cbb0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed00000000000000000000000000000000000000000000000000000000001312d0';

export async function runUtilities(world: World): Promise<Sample[]> {
	const run = createOperationRunner(world, 'utilities');
	const call = {
		function: TRANSFER_FUNCTION,
		argumentsBy: 'json',
		arguments: `["${TO_ADDRESS}", "1250000"]`,
	};
	return [
		await run('address.convert', { address: 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC' }),
		await run('address.compute', { deployer: TO_ADDRESS, nonce: '0' }),
		await run('amount.convert', { amount: '1234567890123456789' }),
		await run('data.encode', call),
		await run('data.decode', { function: TRANSFER_FUNCTION, data: TRANSFER_DATA }),
		await run('hash.compute', { algorithm: 'selector', input: TRANSFER_FUNCTION }),
	];
}
