import { keccak256 } from '../../values/keccak';

const BLOB_TRANSACTION_TYPE = 3;
const SHORT_LIST_PREFIX = 0xc0;
const LONG_LIST_PREFIX = 0xf7;

/**
 * Computes the hash of a signed transaction before it is sent. Blobs are sent with their transaction, but do not belong
 * to its hash.
 */
export function hashSignedTransaction(signed: string): string {
	const bytes = Buffer.from(signed.slice(2), 'hex');
	return `0x${keccak256(bytes[0] === BLOB_TRANSACTION_TYPE ? withoutBlobs(bytes) : bytes).toString('hex')}`;
}

/**
 * Returns the transaction without its blobs. With blobs, the first element of the list is the transaction, which is
 * itself a list. Without blobs, the first element is a number.
 */
function withoutBlobs(bytes: Buffer): Buffer {
	const outer = decodeListAt(bytes, 1);
	const inner = outer && decodeListAt(bytes, outer.begin);
	return inner && inner.end <= bytes.length
		? Buffer.concat([bytes.subarray(0, 1), bytes.subarray(inner.head, inner.end)])
		: bytes;
}

interface RlpList {
	/**
	 * `head` is the position of the prefix that has the length of the list. `begin` is the position of its first
	 * element, and `end` the position behind its last element.
	 */
	readonly head: number;
	readonly begin: number;
	readonly end: number;
}

/** Finds where a list in RLP, the format of transactions, begins and ends. */
function decodeListAt(bytes: Buffer, head: number): RlpList | undefined {
	const first = bytes[head] ?? 0;
	if (first < SHORT_LIST_PREFIX) return undefined;
	const digits = Math.max(first - LONG_LIST_PREFIX, 0);
	const begin = head + 1 + digits;
	if (digits > 6 || begin > bytes.length) return undefined;
	const length = digits > 0 ? bytes.readUIntBE(head + 1, digits) : first - SHORT_LIST_PREFIX;
	return { head, begin, end: begin + length };
}
