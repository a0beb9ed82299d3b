import { keccak256 } from './keccak';

const NINE = 0x39;
/** How far the capital letters stand before the small ones. */
const TO_UPPER = 0x20;

/** An EVM address whose upper and lower case is its checksum (EIP-55), from its 40 digits. */
export function checksummed(digits: string): string {
	const characters = Buffer.from(digits.toLowerCase());
	const marks = keccak256(characters);
	for (let index = 0; index < characters.length; index++) {
		const character = characters[index] ?? 0;
		const isMarked = ((marks[index >> 1] ?? 0) & (index % 2 === 0 ? 0x80 : 0x08)) !== 0;
		if (isMarked && character > NINE) characters[index] = character - TO_UPPER;
	}
	return `0x${characters.toString('latin1')}`;
}
