import { createHash } from 'crypto';

export const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CHECKSUM = 4;

/** The bytes of a base58check text without their checksum; undefined when it is none, or does not fit. */
export function fromBase58Check(text: string): Buffer | undefined {
	const bytes = fromBase58(text);
	if (!bytes || bytes.length <= CHECKSUM) return undefined;
	const payload = bytes.subarray(0, -CHECKSUM);
	return checksum(payload).equals(bytes.subarray(-CHECKSUM)) ? payload : undefined;
}

export function fromBase58(text: string): Buffer | undefined {
	let value = 0n;
	for (const character of text) {
		const digit = BASE58.indexOf(character);
		if (digit < 0) return undefined;
		value = value * 58n + BigInt(digit);
	}
	// Each 1 in front stands for a zero byte, which a number does not show.
	const zeros = Buffer.alloc(/^1*/.exec(text)?.[0].length ?? 0);
	const hex = value === 0n ? '' : value.toString(16);
	return Buffer.concat([zeros, Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]);
}

/** The first bytes of SHA-256, taken twice. */
function checksum(payload: Uint8Array): Buffer {
	return sha256(sha256(payload)).subarray(0, CHECKSUM);
}

function sha256(bytes: Uint8Array): Buffer {
	return createHash('sha256').update(bytes).digest();
}
