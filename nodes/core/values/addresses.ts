import { createHash } from 'crypto';
import { throwInvalidValue, trimText, type Parse } from './read';

const BASE58_ADDRESS_PATTERN = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const HEX_ADDRESS_PATTERN = /^41[0-9a-f]{40}$/i;
const ADDRESS_PREFIX = 0x41;

/** An account on a TRON-type chain: base58check if `visible`, else hex. */
export function witnessAddressParser(visible: boolean): Parse<string> {
	return (given) => (visible ? parseBase58Address : parseHexAddress)(trimText(given));
}

function parseBase58Address(value: string): string {
	if (HEX_ADDRESS_PATTERN.test(value)) {
		return throwInvalidValue(
			"an address in base58 (T…) while 'Base58 Addresses' is on: turn it off to use hex",
		);
	}
	parseBase58Account(value);
	return value;
}

function parseBase58Account(value: string): string {
	if (!BASE58_ADDRESS_PATTERN.test(value))
		return throwInvalidValue('an address in base58: T and 33 letters and digits');
	const bytes = decodeBase58Check(value);
	return bytes?.length === 21 && bytes[0] === ADDRESS_PREFIX
		? bytes.toString('hex', 1)
		: throwInvalidValue('an address with a valid checksum: a character may be wrong');
}

function parseHexAddress(value: string): string {
	if (BASE58_ADDRESS_PATTERN.test(value)) {
		return throwInvalidValue(
			"an address in hex (41…) while 'Base58 Addresses' is off: turn it on to use base58",
		);
	}
	return HEX_ADDRESS_PATTERN.test(value)
		? value
		: throwInvalidValue('an address in hex: 42 digits that begin with 41');
}

/** The 20 bytes of an address of either form, in hex digits: those of an EVM address. */
export const parseWitnessAccount: Parse<string> = (given) => {
	const value = trimText(given);
	return HEX_ADDRESS_PATTERN.test(value) ? value.slice(2).toLowerCase() : parseBase58Account(value);
};

/** The forms of an account of 20 bytes, given in hex digits. */
export function formatWitnessAddresses(account: string): {
	readonly base58: string;
	readonly hex: string;
} {
	const hex = ADDRESS_PREFIX.toString(16) + account.toLowerCase();
	return { base58: encodeBase58Check(Buffer.from(hex, 'hex')), hex };
}

const BASE58_ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CHECKSUM_BYTES = 4;

/** The payload; undefined when the text is no base58 or its checksum is wrong. */
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
	// Each leading 1 is a zero byte.
	const zeros = Buffer.alloc(/^1*/.exec(text)?.[0].length ?? 0);
	const hex = value === 0n ? '' : value.toString(16);
	return Buffer.concat([zeros, Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]);
}

export function encodeBase58Check(payload: Buffer): string {
	return encodeBase58(Buffer.concat([payload, computeChecksum(payload)]));
}

/** Each leading zero byte is a 1. */
export function encodeBase58(bytes: Uint8Array): string {
	const zeros = bytes.findIndex((byte) => byte !== 0);
	if (zeros < 0) return '1'.repeat(bytes.length);
	let text = '';
	for (let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); value > 0n; value /= 58n) {
		text = BASE58_ALPHABET.charAt(Number(value % 58n)) + text;
	}
	return '1'.repeat(zeros) + text;
}

/** Double SHA-256, its first bytes. */
function computeChecksum(payload: Uint8Array): Buffer {
	return hashSha256(hashSha256(payload)).subarray(0, CHECKSUM_BYTES);
}

function hashSha256(bytes: Uint8Array): Buffer {
	return createHash('sha256').update(bytes).digest();
}

const RAW_ADDRESS_PATTERN = /^(0|-1):[0-9a-f]{64}$/i;
/** URL-safe base64 or standard, not mixed. */
const FRIENDLY_ADDRESS_PATTERN = /^([\w-]{48}|[a-z0-9+/]{48})$/i;
const BOUNCEABLE_TAG = 0x11;
const NON_BOUNCEABLE_TAG = 0x51;
const TEST_NETWORK_FLAG = 0x80;
const BASECHAIN_BYTE = 0x00;
const MASTERCHAIN_BYTE = 0xff;

/** An account on a TON chain, raw or user-friendly, as it was given. */
export const parseTonAddress: Parse<string> = (given) => {
	parseTonAccount(given);
	return trimText(given);
};

export interface TonAccount {
	/** One byte: 0xff is -1, the masterchain. */
	readonly workchain: number;
	readonly hash: Buffer;
	/** Of a user-friendly address that only test networks take. */
	readonly isTestOnly: boolean;
}

/** A user-friendly address has a checksum. */
export const parseTonAccount: Parse<TonAccount> = (given) => {
	const value = trimText(given);
	if (RAW_ADDRESS_PATTERN.test(value)) return parseRawAccount(value);
	if (!FRIENDLY_ADDRESS_PATTERN.test(value)) {
		return throwInvalidValue('an address of 48 characters, such as EQ…, or 0: and 64 hex digits');
	}
	const bytes = Buffer.from(value, 'base64');
	if (computeCrc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) {
		return throwInvalidValue('an address with a valid checksum: a character may be wrong');
	}
	const [tag = 0, workchain = 0] = bytes;
	const isKnown =
		[BOUNCEABLE_TAG, NON_BOUNCEABLE_TAG].includes(tag & ~TEST_NETWORK_FLAG) &&
		[BASECHAIN_BYTE, MASTERCHAIN_BYTE].includes(workchain);
	return isKnown
		? { workchain, hash: bytes.subarray(2, 34), isTestOnly: (tag & TEST_NETWORK_FLAG) !== 0 }
		: throwInvalidValue('the address of an account, such as EQ…, UQ…, kQ… or 0Q…');
};

function parseRawAccount(value: string): TonAccount {
	const [workchain, digits = ''] = value.split(':');
	return {
		workchain: workchain === '0' ? BASECHAIN_BYTE : MASTERCHAIN_BYTE,
		hash: Buffer.from(digits, 'hex'),
		isTestOnly: false,
	};
}

/** The forms of an account, the user-friendly ones in URL-safe base64. */
export function formatTonAddresses(account: TonAccount) {
	const { workchain, hash } = account;
	return {
		raw: `${(workchain << 24) >> 24}:${hash.toString('hex')}`,
		bounceable: encodeFriendlyAddress(BOUNCEABLE_TAG, account),
		nonBounceable: encodeFriendlyAddress(NON_BOUNCEABLE_TAG, account),
	};
}

function encodeFriendlyAddress(tag: number, { workchain, hash, isTestOnly }: TonAccount): string {
	const flags = isTestOnly ? tag | TEST_NETWORK_FLAG : tag;
	const body = Buffer.concat([Buffer.from([flags, workchain]), hash]);
	const sum = Buffer.alloc(2);
	sum.writeUInt16BE(computeCrc16(body));
	return Buffer.concat([body, sum]).toString('base64url');
}

/** CRC-16/XMODEM. */
function computeCrc16(bytes: Uint8Array): number {
	let crc = 0;
	for (const byte of bytes) {
		crc ^= byte << 8;
		for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
		crc &= 0xffff;
	}
	return crc;
}

/** Standard or URL-safe, padded or not; sent as standard base64. */
export const parseBase64: Parse<string> = (given) => {
	const bytes = typeof given === 'string' ? decodeBase64(given) : undefined;
	return bytes && bytes.length > 0
		? bytes.toString('base64')
		: throwInvalidValue('complete base64');
};

/** Buffer ignores what is no base64 and stops early: what it decodes must encode to the same. */
export function decodeBase64(text: string): Buffer | undefined {
	const standard = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
	const bytes = Buffer.from(standard, 'base64');
	const padded = bytes.toString('base64');
	const isWhole = standard.length >= padded.replace(/=+$/, '').length;
	return isWhole && padded.startsWith(standard) ? bytes : undefined;
}
