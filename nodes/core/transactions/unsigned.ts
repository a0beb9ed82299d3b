import { checksummed } from '../values/hex';
import { toQuantity } from '../values/numbers';
import { numberBytes, rlp, type Rlp } from './rlp';

/** What a unit of gas may cost: EIP-1559's two, or one price of the kind before. */
export type GasPrice =
	| { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
	| { readonly gasPrice: bigint };

/** A transaction before it is signed. */
export interface UnsignedTransaction {
	readonly chainId: bigint;
	readonly from: string;
	/** Undefined where it creates a contract. */
	readonly to: string | undefined;
	readonly nonce: bigint;
	readonly gas: bigint;
	readonly value: bigint;
	/** 0x-hex. */
	readonly data: string;
	readonly price: GasPrice;
}

const DYNAMIC_FEE = 2;

/** The last but one of 64 bits (EIP-2681). */
export const MAX_NONCE = 2n ** 64n - 2n;
export const MAX_GAS = 2n ** 64n - 1n;

/** As eth_signTransaction takes it. */
export function signable(transaction: UnsignedTransaction) {
	const { chainId, from, to, nonce, gas, value, data, price } = transaction;
	return {
		type: toQuantity('gasPrice' in price ? 0n : BigInt(DYNAMIC_FEE)),
		chainId: toQuantity(chainId),
		from: checksummed(from.slice(2)),
		...(to !== undefined && { to: checksummed(to.slice(2)) }),
		nonce: toQuantity(nonce),
		gas: toQuantity(gas),
		value: toQuantity(value),
		data,
		...Object.fromEntries(Object.entries(price).map(([name, wei]) => [name, toQuantity(wei)])),
	};
}

/** What is signed is the hash of this. */
export function serialized(transaction: UnsignedTransaction): Buffer {
	const { chainId, to = '0x', nonce, gas, value, data, price } = transaction;
	const payload = [gas, hexBytes(to), value, hexBytes(data)];
	if ('gasPrice' in price) {
		// The chain stands where the signature will, so that it holds on this chain alone (EIP-155).
		return rlp(parts([nonce, price.gasPrice, ...payload, chainId, 0n, 0n]));
	}
	const { maxPriorityFeePerGas, maxFeePerGas } = price;
	const accessList: Rlp = [];
	const fields = parts([
		chainId,
		nonce,
		maxPriorityFeePerGas,
		maxFeePerGas,
		...payload,
		accessList,
	]);
	return Buffer.concat([Buffer.from([DYNAMIC_FEE]), rlp(fields)]);
}

function parts(values: ReadonlyArray<bigint | Rlp>): Rlp {
	return values.map((value) => (typeof value === 'bigint' ? numberBytes(value) : value));
}

function hexBytes(hex: string): Buffer {
	return Buffer.from(hex.slice(2), 'hex');
}
