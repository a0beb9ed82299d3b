import type { RpcReader } from '../../chain/reader';
import { chooseGasPrice, type Speed } from '../prepare/fees';
import type { GasPrice } from '../transactions/unsigned';

/** Gas prices that a transaction pays in full, so that its exact fee is known beforehand. */
export interface KnownPrices {
	/** Below this price, a transaction might wait for long. */
	readonly least: bigint;
	readonly highest: bigint;
	/** The price of a transaction whose exact fee need not be known beforehand. */
	readonly usual: GasPrice;
	build(price: bigint): GasPrice;
}

/**
 * How far above the present price the lowest and the highest price are. The base fee rises by at most an eighth with each
 * block.
 */
const LEAST = { parts: 9n, whole: 8n };
const HIGHEST = { parts: 5n, whole: 4n };

/**
 * Chooses prices whose tip equals the highest price, so that the exact fee is known beforehand. A sweep of coins then
 * leaves nothing behind.
 */
export async function chooseKnownPrices(reader: RpcReader, speed: Speed): Promise<KnownPrices> {
	const usual = await chooseGasPrice(reader, speed, {});
	if ('gasPrice' in usual) {
		const { gasPrice } = usual;
		return { least: gasPrice, highest: gasPrice, usual, build: (paid) => ({ gasPrice: paid }) };
	}
	// `maxFeePerGas` contains the base fee twice, and the tip.
	const { maxFeePerGas, maxPriorityFeePerGas: tip } = usual;
	const present = (maxFeePerGas + tip) / 2n;
	return {
		least: (present * LEAST.parts) / LEAST.whole,
		highest: (present * HIGHEST.parts) / HIGHEST.whole,
		usual,
		build: (paid) => ({ maxFeePerGas: paid, maxPriorityFeePerGas: paid }),
	};
}
