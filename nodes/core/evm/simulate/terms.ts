import type { RpcReader } from '../../chain/reader';
import { nullIfRefused } from '../../chain/blocks';
import { numberToHex } from '../../values/numbers';
import { isRecord } from '../../values/parse';
import { quantityToDecimal } from '../chainObjects';
import type { SimulatedTransaction } from './transaction';

/** What all simulations of a transaction have in common. A contract sees the same in each of them. */
export interface SimulationTerms {
	/** The simulation uses the price that the transaction would pay now, because a contract can read it. */
	readonly transaction: SimulatedTransaction;
	readonly block: string;
	/** The price that the transaction pays for a unit of gas, in wei. */
	readonly gasPrice: bigint;
	/** Undefined if the node would refuse it beside the price, or if the chain has no base fee. */
	readonly baseFee: bigint | undefined;
	/** The least number of coins that the chain demands of the sender, in wei. */
	readonly leastCoins: bigint;
}

/** Reads the block and its gas price once, so that all simulations use the same block. */
export async function readTerms(
	reader: RpcReader,
	transaction: SimulatedTransaction,
	block: string,
): Promise<SimulationTerms> {
	const found = await reader.call('eth_getBlockByNumber', [block, false]).catch(nullIfRefused);
	const { number, baseFeePerGas } = isRecord(found) ? found : {};
	const [height, baseFee] = [toBigint(number), toBigint(baseFeePerGas)];
	const gasPrice = computeGasPrice(transaction, baseFee);
	const { prices, gas = 0n, value } = transaction;
	return {
		transaction: isPriced(transaction)
			? { ...transaction, prices: { gasPrice: numberToHex(gasPrice) } }
			: transaction,
		// The pending block is asked for by its name, because nodes do not find it by its number.
		block: height === undefined || block === 'pending' ? block : numberToHex(height),
		gasPrice,
		baseFee: baseFee !== undefined && gasPrice >= baseFee ? baseFee : undefined,
		leastCoins: value + gas * BigInt(prices.gasPrice ?? prices.maxFeePerGas ?? 0),
	};
}

function toBigint(quantity: unknown): bigint | undefined {
	const digits = quantityToDecimal(quantity);
	return digits === null ? undefined : BigInt(digits);
}

function isPriced({ prices }: SimulatedTransaction): boolean {
	return Object.keys(prices).length > 0;
}

/** Computes the gas price as chains do: the base fee plus the tip, but at most the highest price. */
function computeGasPrice({ prices }: SimulatedTransaction, baseFee: bigint | undefined): bigint {
	const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = prices;
	if (gasPrice !== undefined) return BigInt(gasPrice);
	if (maxFeePerGas === undefined) return BigInt(maxPriorityFeePerGas ?? 0);
	const highest = BigInt(maxFeePerGas);
	if (baseFee === undefined) return highest;
	const now = baseFee + BigInt(maxPriorityFeePerGas ?? 0);
	return now < highest ? now : highest;
}
