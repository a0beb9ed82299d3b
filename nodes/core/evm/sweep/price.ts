import type { RpcReader } from '../../chain/reader';
import { chooseGasPrice, type Speed } from '../prepare/fees';
import type { GasPrice } from '../transactions/unsigned';

/** The price of a unit of gas if the whole price is paid, so that the fee is known beforehand. */
export interface KnownPrices {
	/** Below this price, a transaction might wait for long. */
	readonly least: bigint;
	readonly highest: bigint;
	/** What a transaction pays whose fee need not be known before. */
	readonly usual: GasPrice;
	build(price: bigint): GasPrice;
}

/** The base fee may rise by an eighth from block to block. */
const LEAST = { parts: 9n, whole: 8n };
const HIGHEST = { parts: 5n, whole: 4n };

/**
 * Chooses prices whose tip equals the highest price. So the exact fee is known beforehand, and a sweep of all coins
 * leaves none at the address.
 */
export async function chooseKnownPrices(reader: RpcReader, speed: Speed): Promise<KnownPrices> {
	const usual = await chooseGasPrice(reader, speed, {});
	if ('gasPrice' in usual) {
		const { gasPrice } = usual;
		return { least: gasPrice, highest: gasPrice, usual, build: (paid) => ({ gasPrice: paid }) };
	}
	// The highest fee has room for twice the base fee.
	const { maxFeePerGas, maxPriorityFeePerGas: tip } = usual;
	const present = (maxFeePerGas + tip) / 2n;
	return {
		least: (present * LEAST.parts) / LEAST.whole,
		highest: (present * HIGHEST.parts) / HIGHEST.whole,
		usual,
		build: (paid) => ({ maxFeePerGas: paid, maxPriorityFeePerGas: paid }),
	};
}
