import { keccak256 } from '../../values/keccak';
import { encodeNumberBytes, encodeRlp, joinRlpList, splitRlpList } from './rlp';
import type { TransactionSignature } from './unsigned';

/** A signed transaction, decoded to its fields. */
export interface SignedTransaction {
	/** Undefined if it is valid on every chain. */
	readonly chainId: bigint | undefined;
	readonly nonce: bigint;
	readonly gas: bigint;
	/** The highest price of a unit of gas, in wei. */
	readonly price: bigint;
	/** 0x-hex in lower case; undefined if it creates a contract. */
	readonly to: string | undefined;
	readonly value: bigint;
	/** 0x-hex in lower case. */
	readonly data: string;
	/** The hash that its account has signed. */
	readonly signedHash: Buffer;
	readonly signature: TransactionSignature;
}

/**
 * The positions of fields in a transaction of some type, counted from 0. The highest price stands right before the gas,
 * and the other fields right after the gas.
 */
interface Layout {
	readonly chainId: number | undefined;
	readonly nonce: number;
	readonly gas: number;
	readonly fields: number;
}

const LEGACY: Layout = { chainId: undefined, nonce: 0, gas: 2, fields: 9 };
const BLOB_TYPE = 3;
/** Transactions of EIP-2930, EIP-1559, EIP-4844 and EIP-7702, by their types. */
const LAYOUTS: Readonly<Record<number, Layout>> = {
	1: { chainId: 0, nonce: 1, gas: 3, fields: 11 },
	2: { chainId: 0, nonce: 1, gas: 4, fields: 12 },
	[BLOB_TYPE]: { chainId: 0, nonce: 1, gas: 4, fields: 14 },
	4: { chainId: 0, nonce: 1, gas: 4, fields: 13 },
};

const FIRST_LIST_BYTE = 0xc0;
const SIGNATURE_FIELDS = 3;
const LEGACY_UNSIGNED_FIELDS = 6;
const ADDRESS_BYTES = 20;

/** Decodes a signed transaction, given as 0x-hex; undefined if its type is not supported, or if it is no transaction. */
export function decodeSignedTransaction(signed: string): SignedTransaction | undefined {
	const bytes = Buffer.from(signed.slice(2), 'hex');
	const type = bytes[0] ?? 0;
	if (type >= FIRST_LIST_BYTE) return decodeFields(bytes, LEGACY, Buffer.alloc(0));
	const layout = LAYOUTS[type];
	const list = type === BLOB_TYPE ? unwrapBlobs(bytes.subarray(1)) : bytes.subarray(1);
	return layout && decodeFields(list, layout, bytes.subarray(0, 1));
}

/** Returns the transaction without its blobs. With blobs, it is sent as a list that begins with the transaction. */
function unwrapBlobs(list: Buffer): Buffer {
	const [first] = splitRlpList(list) ?? [];
	return first && first.content === undefined ? first.encoded : list;
}

function decodeFields(list: Buffer, layout: Layout, prefix: Buffer): SignedTransaction | undefined {
	const parts = splitRlpList(list);
	if (parts?.length !== layout.fields) return undefined;
	const read = (at: number) => parts[at]?.content;
	const { gas: gasAt } = layout;
	const [nonce, price, gas, value] = [layout.nonce, gasAt - 1, gasAt, gasAt + 2].map((at) =>
		toNumber(read(at)),
	);
	const [to, data] = [read(gasAt + 1), read(gasAt + 3)];
	const end = [3, 2, 1].map((back) => toNumber(read(layout.fields - back)));
	const chain = layout.chainId === undefined ? undefined : toNumber(read(layout.chainId));
	const signed = parseSignature(end, chain);
	const isReceiver = to?.length === 0 || to?.length === ADDRESS_BYTES;
	if (nonce === undefined || gas === undefined || price === undefined) return undefined;
	if (value === undefined || !data || !to || !isReceiver || !signed) return undefined;
	const encoded = parts.map((part) => part.encoded);
	const hashed =
		layout === LEGACY
			? encodeLegacy(encoded, signed.chainId)
			: joinRlpList(encoded.slice(0, -SIGNATURE_FIELDS));
	return {
		...signed,
		nonce,
		gas,
		price,
		value,
		to: to.length === 0 ? undefined : `0x${to.toString('hex')}`,
		data: `0x${data.toString('hex')}`,
		signedHash: keccak256(Buffer.concat([prefix, hashed])),
	};
}

/** Encodes an old transaction for hashing. With EIP-155, the chain ID is in the place of the signature. */
function encodeLegacy(encoded: readonly Buffer[], chainId: bigint | undefined): Buffer {
	const fields = encoded.slice(0, LEGACY_UNSIGNED_FIELDS);
	if (chainId === undefined) return joinRlpList(fields);
	const end = [chainId, 0n, 0n].map((number) => encodeRlp(encodeNumberBytes(number)));
	return joinRlpList([...fields, ...end]);
}

/** The lowest `v` of a signature with the chain ID (EIP-155), and of a signature without it. */
const [LEAST_V_WITH_CHAIN, LEAST_V] = [35n, 27n];

function parseSignature(
	[v, r, s]: ReadonlyArray<bigint | undefined>,
	chain: bigint | undefined,
): Pick<SignedTransaction, 'chainId' | 'signature'> | undefined {
	if (v === undefined || r === undefined || s === undefined) return undefined;
	const named = v < LEAST_V_WITH_CHAIN ? undefined : (v - LEAST_V_WITH_CHAIN) / 2n;
	const least = named === undefined ? LEAST_V : LEAST_V_WITH_CHAIN + 2n * named;
	const yParity = chain === undefined ? v - least : v;
	return yParity === 0n || yParity === 1n
		? { chainId: chain ?? named, signature: { r, s, yParity: Number(yParity) } }
		: undefined;
}

const MAX_NUMBER_BYTES = 32;

function toNumber(content: Buffer | undefined): bigint | undefined {
	return content && content.length <= MAX_NUMBER_BYTES
		? BigInt(`0x0${content.toString('hex')}`)
		: undefined;
}
