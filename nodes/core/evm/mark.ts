import { countPriceBits, markPrice, raiseToBits, takeBits, type CarriedMark } from '../chain/mark';
import type { GasPrice } from './transactions/unsigned';

/** The gas limit of a transaction, and its highest gas price. */
interface GasPurchase {
	readonly gas: bigint;
	readonly price: GasPrice;
}

/**
 * How many bits of a payment's mark (a number to find it again) the gas limit carries. The limit rises by at most 1,023,
 * and unused gas is not paid for.
 */
const GAS_BITS = 10;
/** On a chain where gas has no price, the whole mark is in the gas limit. */
const FREE_GAS_BITS = 20;
/** How many bits of a payment's mark the gas price carries. With 20 bits, a price rises by less than 2^20 wei. */
const PRICE_BITS = { least: 20, most: 40 };

/** Changes the gas limit and the highest price so that both end in the mark. Both can only rise. */
export function addMark<Purchase extends GasPurchase>(purchase: Purchase, mark: bigint): Purchase {
	const { gas, price } = purchase;
	const highest = getHighestPrice(price);
	if (highest === 0n) return { ...purchase, gas: raiseToBits(gas, mark, FREE_GAS_BITS) };
	const raised = markPrice(highest, mark >> BigInt(GAS_BITS), PRICE_BITS);
	return {
		...purchase,
		gas: raiseToBits(gas, mark, GAS_BITS),
		price: withHighestPrice(price, raised),
	};
}

/** Reads the mark of a payment, a number in the last bits of the gas limit and of the highest price. */
export function readMark({ gas, price }: Readonly<Record<'gas' | 'price', bigint>>): CarriedMark {
	if (price === 0n) return { value: takeBits(gas, FREE_GAS_BITS), bits: FREE_GAS_BITS };
	const bits = countPriceBits(price, PRICE_BITS);
	const value = (takeBits(price, bits) << BigInt(GAS_BITS)) | takeBits(gas, GAS_BITS);
	return { value, bits: bits + GAS_BITS };
}

/**
 * The prices for replacing a transaction: the lowest that nodes accept, the wanted price, and the price that the user
 * fixed.
 */
interface ReplacementPrices {
	readonly least: bigint;
	readonly wanted: bigint;
	readonly fixed: bigint | undefined;
}

/**
 * Chooses a price with the last bits of the replaced price, which carry the payment's mark. A price that the user fixed
 * is lowered to fit, unless nodes would refuse the lower price.
 */
export function keepMark(replaced: bigint, { least, wanted, fixed }: ReplacementPrices): bigint {
	if (replaced === 0n) return wanted;
	const bits = countPriceBits(replaced, PRICE_BITS);
	if (fixed === undefined) return raiseToBits(wanted, replaced, bits);
	const lowered = fixed - takeBits(fixed - replaced, bits);
	return lowered >= least ? lowered : fixed;
}

function getHighestPrice(price: GasPrice): bigint {
	return 'gasPrice' in price ? price.gasPrice : price.maxFeePerGas;
}

function withHighestPrice(price: GasPrice, highest: bigint): GasPrice {
	return 'gasPrice' in price ? { gasPrice: highest } : { ...price, maxFeePerGas: highest };
}
