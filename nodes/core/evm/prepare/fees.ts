import { InvalidInput } from '../../errors/invalidInput';
import { readFees } from '../fees';
import { keepMark } from '../mark';
import { quantityParser } from '../chainObjects';
import type { GasPrice } from '../transactions/unsigned';
import { MAX_UINT256 } from '../../values/numbers';
import { invalidResponseError } from '../../net/responses/response';
import type { RpcReader } from '../../chain/reader';

export type Speed = 'slow' | 'normal' | 'fast';

/** The fees that the user has fixed in the options. */
export interface FixedFees {
	readonly gasPrice?: bigint;
	readonly maxFeePerGas?: bigint;
	readonly maxPriorityFeePerGas?: bigint;
}

/** Reserves twice the base fee. The base fee doubles only after six full blocks in a row. */
const BASE_FEE_FACTOR = 2n;
/** On a chain without a base fee, a fast transaction pays a tenth more than the node advises. */
const GAS_PRICE_PERCENT = { slow: 100n, normal: 100n, fast: 110n } as const;

/** Chooses the price of a unit of gas by the latest blocks, unless the user has fixed it. */
export async function chooseGasPrice(
	reader: RpcReader,
	speed: Speed,
	fixed: FixedFees,
): Promise<GasPrice> {
	const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = fixed;
	if (gasPrice !== undefined) return { gasPrice };
	const fees = await readFees(reader);
	if (!fees.baseFee) {
		if (maxFeePerGas !== undefined || maxPriorityFeePerGas !== undefined) throw noBaseFeeError();
		return { gasPrice: (BigInt(fees.gasPrice.wei) * GAS_PRICE_PERCENT[speed]) / 100n };
	}
	const usual =
		maxPriorityFeePerGas ?? (fees[speed] ? BigInt(fees[speed].wei) : await readPriorityFee(reader));
	const highest = maxFeePerGas ?? BigInt(fees.baseFee.wei) * BASE_FEE_FACTOR + usual;
	if (highest > MAX_UINT256) throw invalidResponseError('fees that a transaction can hold', fees);
	return { maxFeePerGas: highest, maxPriorityFeePerGas: usual < highest ? usual : highest };
}

/** Raises a price by an eighth for a replacement. Nodes demand an eighth or a tenth more. */
const REPLACEMENT_PARTS = { own: 9n, whole: 8n };

/** The lowest price at which nodes accept a replacement: an eighth higher, or 1 wei if that is nothing. */
function raisePrice(price: bigint): bigint {
	const { own, whole } = REPLACEMENT_PARTS;
	const raised = (price * own + whole - 1n) / whole;
	return raised > price ? raised : price + 1n;
}

/**
 * Chooses the price of a unit of gas for a replacement, by the latest blocks and by what nodes demand. The last bits of
 * the price are kept, because they identify the payment.
 */
export async function chooseRaisedPrice(
	reader: RpcReader,
	speed: Speed,
	fixed: FixedFees,
	own: GasPrice,
): Promise<GasPrice> {
	if ('gasPrice' in own) {
		checkKeptKind(fixed.maxFeePerGas ?? fixed.maxPriorityFeePerGas, 'Gas Price');
		const least = raisePrice(own.gasPrice);
		const wanted = await raiseGasPrice(reader, speed, fixed, least);
		return { gasPrice: keepMark(own.gasPrice, { least, wanted, fixed: fixed.gasPrice }) };
	}
	checkKeptKind(fixed.gasPrice, 'Max Fee Per Gas');
	const leastFee = raisePrice(own.maxFeePerGas);
	const leastTip = raisePrice(own.maxPriorityFeePerGas);
	checkRaised('Max Fee Per Gas', fixed.maxFeePerGas, leastFee);
	checkRaised('Max Priority Fee Per Gas', fixed.maxPriorityFeePerGas, leastTip);
	const today = withBothFees(await chooseGasPrice(reader, speed, fixed));
	const tip = fixed.maxPriorityFeePerGas ?? findHighest(today.maxPriorityFeePerGas, leastTip);
	const least = findHighest(leastFee, tip);
	const wanted = findHighest(today.maxFeePerGas, least);
	const prices = { least, wanted, fixed: fixed.maxFeePerGas };
	return { maxFeePerGas: keepMark(own.maxFeePerGas, prices), maxPriorityFeePerGas: tip };
}

/**
 * Chooses a single gas price for a replacement. Such a transaction pays its whole price, so nothing is reserved for a
 * higher base fee.
 */
async function raiseGasPrice(
	reader: RpcReader,
	speed: Speed,
	{ gasPrice: fixed }: FixedFees,
	least: bigint,
): Promise<bigint> {
	checkRaised('Gas Price', fixed, least);
	if (fixed !== undefined) return fixed;
	const fees = await readFees(reader);
	const advised = BigInt(fees.gasPrice.wei);
	if (!fees.baseFee) return findHighest((advised * GAS_PRICE_PERCENT[speed]) / 100n, least);
	const tip = fees[speed] ? BigInt(fees[speed].wei) : await readPriorityFee(reader);
	return findHighest(advised, BigInt(fees.baseFee.wei) + tip, least);
}

function withBothFees(price: GasPrice) {
	return 'gasPrice' in price
		? { maxFeePerGas: price.gasPrice, maxPriorityFeePerGas: price.gasPrice }
		: price;
}

function findHighest(...prices: readonly bigint[]): bigint {
	return prices.reduce((highest, price) => (price > highest ? price : highest), 0n);
}

function checkKeptKind(foreign: bigint | undefined, usual: string): void {
	if (foreign === undefined) return;
	throw new InvalidInput(
		`'Options > ${usual}' must be used for the fee, because the pending transaction uses it`,
		'A replacement has the same kind of fee as the pending transaction: one gas price, or the two fees of EIP-1559.',
	);
}

function checkRaised(name: string, fixed: bigint | undefined, least: bigint): void {
	if (fixed === undefined || fixed >= least) return;
	throw new InvalidInput(
		`'Options > ${name}' must be at least ${least} wei to replace this transaction; got ${fixed}`,
		'Chain nodes accept a replacement only if each fee is at least an eighth above that of the pending transaction.',
	);
}

export function checkFixedFees({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }: FixedFees): void {
	if (gasPrice !== undefined && (maxFeePerGas ?? maxPriorityFeePerGas) !== undefined) {
		throw new InvalidInput(
			"'Options > Gas Price' must be empty where 'Max Fee Per Gas' or 'Max Priority Fee Per Gas' is set",
			'A transaction has either one gas price or the two fees of EIP-1559.',
		);
	}
	if (maxFeePerGas !== undefined && (maxPriorityFeePerGas ?? 0n) > maxFeePerGas) {
		throw new InvalidInput(
			"'Options > Max Priority Fee Per Gas' must be at most 'Max Fee Per Gas'",
			'The priority fee is a part of the highest fee.',
		);
	}
}

async function readPriorityFee(reader: RpcReader): Promise<bigint> {
	return quantityParser('a priority fee')(await reader.call('eth_maxPriorityFeePerGas', []));
}

function noBaseFeeError(): InvalidInput {
	return new InvalidInput(
		"'Options > Gas Price' must be used on this chain, which has no base fee",
		"Remove 'Max Fee Per Gas' and 'Max Priority Fee Per Gas'.",
	);
}
