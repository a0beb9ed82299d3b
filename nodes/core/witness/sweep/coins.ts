import { readAccount, readResources } from '../accounts';
import {
	computeByteFee,
	computeHighestByteFee,
	computeNewAccountByteFee,
	HEX_CHARS_PER_BYTE,
} from '../prepare/fees';
import { buildPayment } from '../prepare/prepare';
import { readPricesOnce } from '../prices';
import { takeBuilt, type UnsignedWitness } from '../unsigned';
import {
	formatTurn,
	isLate,
	makeSweepMark,
	writeAccount,
	type Sweeping,
	type WitnessSweep,
} from './sweeping';

/** Prepares the transfer of all coins. Whatever prices a node reports, the fee is at most half of the coins. */
export async function prepareCoins(
	{ reader, destination }: Sweeping,
	from: string,
): Promise<WitnessSweep | undefined> {
	const [{ balance, ...account }, resources, receiver, priceOf] = await Promise.all([
		readAccount(reader, writeAccount(from)),
		readResources(reader, writeAccount(from)),
		readAccount(reader, writeAccount(destination)),
		readPricesOnce(reader),
	]);
	const turn = formatTurn(account);
	const payment = { from, to: destination, memo: '', mark: makeSweepMark(turn) };
	const build = async (amount: bigint): Promise<UnsignedWitness> =>
		takeBuilt(await buildPayment(reader, { ...payment, amount }, 0n));
	const most = balance - (receiver.exists ? 0n : priceOf('a new account'));
	if (most <= 0n) return undefined;
	const whole = await build(most);
	const computeFee = receiver.exists ? computeByteFee : computeNewAccountByteFee;
	const value = takeFee(most, getHex(whole), (hex) => computeFee(hex, resources, priceOf));
	if (value < computeHighestByteFee(getHex(whole).length / HEX_CHARS_PER_BYTE)) return undefined;
	const unsigned = value === most ? whole : await build(value);
	const renew = async () => (isLate(unsigned) ? await build(value) : unsigned);
	return { value, unsigned, missing: 0n, turn, renew };
}

function getHex({ given }: UnsignedWitness): string {
	return String(given.shape.raw_data_hex);
}

/**
 * Subtracts the fee for the transaction's bytes from the amount. The smaller amount may take one byte less in the
 * transaction.
 */
function takeFee(most: bigint, hex: string, computeFee: (hex: string) => bigint): bigint {
	const shorter = most - computeFee(hex.slice(HEX_CHARS_PER_BYTE));
	return countNumberBytes(shorter) < countNumberBytes(most) ? shorter : most - computeFee(hex);
}

const BITS_PER_BYTE = 7;

/** Counts the bytes in which the chain writes a number above 0. */
function countNumberBytes(value: bigint): number {
	return Math.ceil(value.toString(2).length / BITS_PER_BYTE);
}
