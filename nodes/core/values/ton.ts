import type { Read } from './read';
import { unfit } from './read';

const RAW = /^(0|-1):[0-9a-f]{64}$/i;
/** The URL-safe alphabet or the standard one, not both. */
const FRIENDLY = /^([\w-]{48}|[a-z0-9+/]{48})$/i;
const TAGS = [0x11, 0x51];
const TEST_NETWORK = 0x80;
const WORKCHAINS = [0x00, 0xff];

/** An account on a TON chain, raw or in one of the user-friendly spellings, which carry a checksum. */
export const tonAddress: Read<string> = (given) => {
	const value = typeof given === 'string' ? given.trim() : '';
	if (RAW.test(value)) return value;
	if (!FRIENDLY.test(value)) {
		return unfit('an address of 48 characters, such as EQ…, or 0: and 64 hex digits');
	}
	const bytes = Buffer.from(value, 'base64');
	if (crc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) {
		return unfit('an address with a valid checksum: a character may be wrong');
	}
	const [tag = 0, workchain = 0] = bytes;
	const isKnown = TAGS.includes(tag & ~TEST_NETWORK) && WORKCHAINS.includes(workchain);
	return isKnown ? value : unfit('the address of an account, such as EQ…, UQ…, kQ… or 0Q…');
};

/** CRC-16/XMODEM. */
function crc16(bytes: Uint8Array): number {
	let crc = 0;
	for (const byte of bytes) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
		crc &= 0xffff;
	}
	return crc;
}

/** Base64 in any of its spellings; sent in the standard one. Whether it holds cells the service says. */
export const base64: Read<string> = (given) => {
	const bytes = typeof given === 'string' ? fromBase64(given) : undefined;
	return bytes && bytes.length > 0 ? bytes.toString('base64') : unfit('complete base64');
};

/** The bytes, unless a character is missing, wrong or too many; only padding may be missing. */
function fromBase64(text: string): Buffer | undefined {
	const standard = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
	const bytes = Buffer.from(standard, 'base64');
	const padded = bytes.toString('base64');
	const isWhole = standard.length >= padded.replace(/=+$/, '').length;
	return isWhole && padded.startsWith(standard) ? bytes : undefined;
}
