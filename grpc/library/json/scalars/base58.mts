import { ALPHABET } from '../../../../nodes/core';

/** Each zero byte in front is a digit of its own. The work grows with the square of the length. */
export function toBase58(bytes: Uint8Array): string {
	const zeros = bytes.findIndex((byte) => byte !== 0);
	if (zeros < 0) return '1'.repeat(bytes.length);
	let text = '';
	for (let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); value > 0n; value /= 58n) {
		text = ALPHABET.charAt(Number(value % 58n)) + text;
	}
	return '1'.repeat(zeros) + text;
}
