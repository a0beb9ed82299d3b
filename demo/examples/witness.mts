import { randomBytes } from 'node:crypto';
import { TronWeb } from 'tronweb';
import { TEST_KEY } from '../run/credentials.mts';
import type { Demo } from '../run/demo.mts';

const COIN_SUN = 1_000_000;

/** Freezes coins of the treasury for energy. An example then delegates the energy. */
export async function freezeForEnergy({ sandbox }: Demo, coins: number): Promise<void> {
	const { nodeUrl, authToken } = sandbox;
	const { transactionBuilder, trx } = new TronWeb({
		fullHost: `${nodeUrl}/${authToken}`,
		privateKey: TEST_KEY.slice(2),
	});
	const built = await transactionBuilder.freezeBalanceV2(coins * COIN_SUN, 'ENERGY');
	await trx.sendRawTransaction(await trx.sign(built));
}

/** Creates a random TRON address that was never used before. */
export function createWitnessAddress(): string {
	return TronWeb.address.fromHex(`41${randomBytes(20).toString('hex')}`);
}
