import type { RpcReader } from '../../chain/reader';
import { chooseGasPrice, type Speed } from '../prepare/fees';
import type { GasPrice } from '../transactions/unsigned';

/** What a unit of gas may cost where all of the price is paid, so that the fee is known before. */
export interface KnownPrices {
	/** Below it, a transaction might wait for long. */
	readonly least: bigint;
	readonly highest: bigint;
	build(price: bigint): GasPrice;
}

/** The base fee may rise by an eighth from block to block. */
const LEAST = { parts: 9n, whole: 8n };
const HIGHEST = { parts: 5n, whole: 4n };

/** Chooses prices whose tip is the highest price: nothing is paid back, and no dust is left. */
export async function chooseKnownPrices(chain: RpcReader, speed: Speed): Promise<KnownPrices> {
	const price = await chooseGasPrice(chain, speed, {});
	if ('gasPrice' in price) {
		const { gasPrice } = price;
		return { least: gasPrice, highest: gasPrice, build: (paid) => ({ gasPrice: paid }) };
	}
	// The highest fee has room for twice the base fee.
	const { maxFeePerGas, maxPriorityFeePerGas: tip } = price;
	const present = (maxFeePerGas + tip) / 2n;
	return {
		least: (present * LEAST.parts) / LEAST.whole,
		highest: (present * HIGHEST.parts) / HIGHEST.whole,
		build: (paid) => ({ maxFeePerGas: paid, maxPriorityFeePerGas: paid }),
	};
}
