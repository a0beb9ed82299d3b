/** The prime number that bounds all felts of this chain. A felt is smaller than the prime. */
export const PRIME = 2n ** 251n + 17n * 2n ** 192n + 1n;

/** The limit of addresses. The address of a contract is a hash modulo this number. */
export const ADDRESS_BOUND = 2n ** 251n - 256n;

const MAX_U128 = 2n ** 128n - 1n;

export const toHex = (value: bigint | number) => `0x${value.toString(16)}`;

const BYTES_PER_WORD = 31;

/** Encodes a short text as a felt, whose bytes are those of the text. */
export const encodeShortString = (text: string) =>
	BigInt(`0x0${Buffer.from(text).toString('hex')}`);

/** Decodes the text in a felt. Returns undefined unless all bytes are printable. */
export function decodeShortString(felt: bigint): string | undefined {
	const hex = felt === 0n ? '' : felt.toString(16);
	const text = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('latin1');
	return text.length <= BYTES_PER_WORD && /^[\x20-\x7e]*$/.test(text) ? text : undefined;
}

/** Encodes a text as a ByteArray: the number of full words, the words, the remaining bytes, and their number. */
export function encodeByteArray(text: string): bigint[] {
	const bytes = Buffer.from(text);
	const full = Math.floor(bytes.length / BYTES_PER_WORD);
	const word = (index: number) =>
		BigInt(
			`0x0${bytes.subarray(index * BYTES_PER_WORD, (index + 1) * BYTES_PER_WORD).toString('hex')}`,
		);
	const words = Array.from({ length: full }, (_, index) => word(index));
	return [BigInt(full), ...words, word(full), BigInt(bytes.length % BYTES_PER_WORD)];
}

/**
 * Decodes the ByteArray at the start of the felts. Returns its text and the number of its felts, or undefined if there
 * is none.
 */
export function decodeByteArray(felts: readonly bigint[]) {
	const size = Number(felts[0] ?? 0n) + 3;
	if (felts.length < size) return undefined;
	const rest = Number(felts[size - 1]);
	if (rest >= BYTES_PER_WORD) return undefined;
	const toBytes = (word: bigint, length: number) =>
		word
			.toString(16)
			.padStart(length * 2, '0')
			.slice(-length * 2 || Infinity);
	const full = felts.slice(1, size - 2).map((word) => toBytes(word, BYTES_PER_WORD));
	const last = rest === 0 ? '' : toBytes(felts[size - 2]!, rest);
	return { text: Buffer.from(full.join('') + last, 'hex').toString(), size };
}

export const splitU256 = (value: bigint) => [value & MAX_U128, value >> 128n];

export const joinU256 = ([low = 0n, high = 0n]: readonly bigint[]) => low + (high << 128n);
