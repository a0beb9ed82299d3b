import { keccak256 } from './keccak';

/** An EVM address whose upper and lower case is its checksum (EIP-55), from its 40 digits. */
export function checksummed(digits: string): string {
	const lower = digits.toLowerCase();
	const upper = digits.toUpperCase();
	const marks = keccak256(Buffer.from(lower));
	let address = '0x';
	for (let index = 0; index < lower.length; index++) {
		const isMarked = (marks[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08);
		address += (isMarked ? upper : lower).charAt(index);
	}
	return address;
}
