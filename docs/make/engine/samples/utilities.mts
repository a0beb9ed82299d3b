import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { operationsOf } from './run.mts';

const TRANSFER = 'transfer(address to, uint256 amount) returns (bool)';
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const DATA =
	'0xa9059cbb0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed00000000000000000000000000000000000000000000000000000000001312d0';

export async function utilities(world: World): Promise<Sample[]> {
	const run = operationsOf(world, 'utilities');
	const call = { function: TRANSFER, argumentsBy: 'json', arguments: `["${TO}", "1250000"]` };
	return [
		await run('address.convert', { address: 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC' }),
		await run('address.compute', { deployer: TO, nonce: '0' }),
		await run('amount.convert', { amount: '1234567890123456789' }),
		await run('data.encode', call),
		await run('data.decode', { function: TRANSFER, data: DATA }),
		await run('hash.compute', { algorithm: 'selector', input: TRANSFER }),
	];
}
