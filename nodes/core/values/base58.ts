import { createHash } from 'crypto';

const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CHECKSUM_BYTES = 4;

/** Decodes base58 with a checksum; returns undefined if the text is not base58 or the checksum is wrong. */
export function decodeBase58Check(text: string): Buffer | undefined {
	const bytes = decodeBase58(text);
	if (!bytes || bytes.length <= CHECKSUM_BYTES) return undefined;
	const payload = bytes.subarray(0, -CHECKSUM_BYTES);
	return computeChecksum(payload).equals(bytes.subarray(-CHECKSUM_BYTES)) ? payload : undefined;
}

export function decodeBase58(text: string): Buffer | undefined {
	let value = 0n;
	for (const character of text) {
		const digit = BASE58_ALPHABET.indexOf(character);
		if (digit < 0) return undefined;
		value = value * 58n + BigInt(digit);
	}
	// Each leading 1 means a zero byte. The 1s are not counted with a regular expression, because the text may be a
	// secret, and RegExp keeps the last matched text in properties.
	let ones = 0;
	while (text.charAt(ones) === '1') ones++;
	const zeros = Buffer.alloc(ones);
	const hex = value === 0n ? '' : value.toString(16);
	return Buffer.concat([zeros, Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]);
}

export function encodeBase58Check(payload: Buffer): string {
	return encodeBase58(Buffer.concat([payload, computeChecksum(payload)]));
}

/** Encodes bytes in base58. Each leading zero byte becomes a 1. */
export function encodeBase58(bytes: Uint8Array): string {
	const zeros = bytes.findIndex((byte) => byte !== 0);
	if (zeros < 0) return '1'.repeat(bytes.length);
	let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
	let text = '';
	for (; value > NUMBER_DIVISOR; value /= NUMBER_DIVISOR) {
		text = encodeNumber(Number(value % NUMBER_DIVISOR)).padStart(NUMBER_DIGITS, '1') + text;
	}
	return '1'.repeat(zeros) + encodeNumber(Number(value)) + text;
}

/**
 * Nine base58 digits fit into a number exactly. Dividing the bigint for each single digit would take several times as
 * long.
 */
const NUMBER_DIGITS = 9;
const NUMBER_DIVISOR = 58n ** BigInt(NUMBER_DIGITS);

function encodeNumber(number: number): string {
	let text = '';
	for (let rest = number; rest > 0; rest = Math.floor(rest / 58)) {
		text = BASE58_ALPHABET.charAt(rest % 58) + text;
	}
	return text;
}

/** Computes the checksum: the first bytes of a double SHA-256. */
function computeChecksum(payload: Uint8Array): Buffer {
	return hashSha256(hashSha256(payload)).subarray(0, CHECKSUM_BYTES);
}

function hashSha256(bytes: Uint8Array): Buffer {
	return createHash('sha256').update(bytes).digest();
}
