import { checksumAddress } from '../address';
import { numberToHex } from '../../values/numbers';
import { encodeNumberBytes, encodeRlp, type Rlp } from './rlp';

/** The price of a unit of gas: two values since EIP-1559, or a single value in older transactions. */
export type GasPrice =
	| { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
	| { readonly gasPrice: bigint };

/** A transaction that is not signed yet. */
export interface UnsignedTransaction {
	readonly chainId: bigint;
	readonly from: string;
	/** The receiver; undefined if the transaction creates a contract. */
	readonly to: string | undefined;
	readonly nonce: bigint;
	readonly gas: bigint;
	readonly value: bigint;
	/** 0x-hex. */
	readonly data: string;
	readonly price: GasPrice;
	/** With an access list, a transaction with one gas price is of type 1 (EIP-2930). */
	readonly accessList?: AccessList;
}

/** The storage slots that a transaction declares in advance (EIP-2930). Addresses and keys are 0x-hex. */
export type AccessList = ReadonlyArray<{
	readonly address: string;
	readonly storageKeys: readonly string[];
}>;

/** A signature by a key of the curve secp256k1. `r` and `s` are numbers. */
export interface TransactionSignature {
	readonly r: bigint;
	readonly s: bigint;
	/** 0 or 1. */
	readonly yParity: number;
}

const ACCESS_LIST_TYPE = 1;
const DYNAMIC_FEE_TYPE = 2;

/** The highest nonce of an account (EIP-2681). */
export const MAX_NONCE = 2n ** 64n - 2n;
export const MAX_GAS = 2n ** 64n - 1n;

/** Returns the type of a transaction (EIP-2718). Type 0 is that of transactions from before there were types. */
export function getTransactionType({
	price,
	accessList,
}: Pick<UnsignedTransaction, 'price' | 'accessList'>) {
	if (!('gasPrice' in price)) return DYNAMIC_FEE_TYPE;
	return accessList ? ACCESS_LIST_TYPE : 0;
}

/** Computes the highest possible cost of a transaction's gas, in wei. */
export function computeMaxFee({ gas, price }: Pick<UnsignedTransaction, 'gas' | 'price'>): bigint {
	return gas * ('gasPrice' in price ? price.gasPrice : price.maxFeePerGas);
}

/** Formats a transaction in the form of the method eth_signTransaction. */
export function formatTransactionRequest(transaction: UnsignedTransaction) {
	const { chainId, from, to, nonce, gas, value, data, price, accessList } = transaction;
	return {
		type: numberToHex(BigInt(getTransactionType(transaction))),
		chainId: numberToHex(chainId),
		from: checksumAddress(from),
		...(to !== undefined && { to: checksumAddress(to) }),
		nonce: numberToHex(nonce),
		gas: numberToHex(gas),
		value: numberToHex(value),
		data,
		...Object.fromEntries(Object.entries(price).map(([name, wei]) => [name, numberToHex(wei)])),
		...(accessList && { accessList }),
	};
}

/** Serializes a transaction. With a signature, the result can be sent; without, its hash is to be signed. */
export function serializeTransaction(
	transaction: UnsignedTransaction,
	signature?: TransactionSignature,
): Buffer {
	const { chainId, to = '0x', nonce, gas, value, data, price, accessList = [] } = transaction;
	const payload = [gas, decodeHex(to), value, decodeHex(data)];
	const type = getTransactionType(transaction);
	if (type === 0 && 'gasPrice' in price) {
		// Without a signature, the chain ID stands in its place, so that the signature is valid on that chain alone
		// (EIP-155).
		const end = signature
			? [LEGACY_V_BASE + 2n * chainId + BigInt(signature.yParity), signature.r, signature.s]
			: [chainId, 0n, 0n];
		return encodeRlp(toRlp([nonce, price.gasPrice, ...payload, ...end]));
	}
	const prices =
		'gasPrice' in price ? [price.gasPrice] : [price.maxPriorityFeePerGas, price.maxFeePerGas];
	const list = accessList.map(({ address, storageKeys }) => [
		decodeHex(address),
		storageKeys.map(decodeHex),
	]);
	const end = signature ? [BigInt(signature.yParity), signature.r, signature.s] : [];
	const fields = toRlp([chainId, nonce, ...prices, ...payload, list, ...end]);
	return Buffer.concat([Buffer.from([type]), encodeRlp(fields)]);
}

/** In transactions of type 0, `v` is this number plus twice the chain ID, plus 0 or 1. */
const LEGACY_V_BASE = 35n;

function toRlp(values: ReadonlyArray<bigint | Rlp>): Rlp {
	return values.map((value) => (typeof value === 'bigint' ? encodeNumberBytes(value) : value));
}

function decodeHex(hex: string): Buffer {
	return Buffer.from(hex.slice(2), 'hex');
}
