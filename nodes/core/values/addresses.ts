import { createHash } from 'crypto';
import { mustBe, trimmed, type Read } from './read';

const BASE58_ADDRESS = /^T[1-9A-HJ-NP-Za-km-z]{33}$/;
const HEX = /^41[0-9a-f]{40}$/i;
const PREFIX = 0x41;

/** An account on a TRON-type chain: base58check if `visible`, else hex. */
export function witnessAddress(visible: boolean): Read<string> {
	return (given) => (visible ? base58Address : hexAddress)(trimmed(given));
}

function base58Address(value: string): string {
	if (HEX.test(value)) {
		return mustBe(
			"an address in base58 (T…) while 'Base58 Addresses' is on: turn it off to use hex",
		);
	}
	base58Account(value);
	return value;
}

function base58Account(value: string): string {
	if (!BASE58_ADDRESS.test(value))
		return mustBe('an address in base58: T and 33 letters and digits');
	const bytes = fromBase58Check(value);
	return bytes?.length === 21 && bytes[0] === PREFIX
		? bytes.toString('hex', 1)
		: mustBe('an address with a valid checksum: a character may be wrong');
}

function hexAddress(value: string): string {
	if (BASE58_ADDRESS.test(value)) {
		return mustBe(
			"an address in hex (41…) while 'Base58 Addresses' is off: turn it on to use base58",
		);
	}
	return HEX.test(value) ? value : mustBe('an address in hex: 42 digits that begin with 41');
}

/** The 20 bytes of an address of either form, in hex digits: those of an EVM address. */
export const witnessAccount: Read<string> = (given) => {
	const value = trimmed(given);
	return HEX.test(value) ? value.slice(2).toLowerCase() : base58Account(value);
};

/** The forms of an account of 20 bytes, given in hex digits. */
export function witnessForms(account: string): { readonly base58: string; readonly hex: string } {
	const hex = PREFIX.toString(16) + account.toLowerCase();
	return { base58: toBase58Check(Buffer.from(hex, 'hex')), hex };
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const CHECKSUM = 4;

/** The payload; undefined when the text is no base58 or its checksum is wrong. */
export function fromBase58Check(text: string): Buffer | undefined {
	const bytes = fromBase58(text);
	if (!bytes || bytes.length <= CHECKSUM) return undefined;
	const payload = bytes.subarray(0, -CHECKSUM);
	return checksum(payload).equals(bytes.subarray(-CHECKSUM)) ? payload : undefined;
}

export function fromBase58(text: string): Buffer | undefined {
	let value = 0n;
	for (const character of text) {
		const digit = ALPHABET.indexOf(character);
		if (digit < 0) return undefined;
		value = value * 58n + BigInt(digit);
	}
	// Each leading 1 is a zero byte.
	const zeros = Buffer.alloc(/^1*/.exec(text)?.[0].length ?? 0);
	const hex = value === 0n ? '' : value.toString(16);
	return Buffer.concat([zeros, Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]);
}

export function toBase58Check(payload: Buffer): string {
	return toBase58(Buffer.concat([payload, checksum(payload)]));
}

/** Each leading zero byte is a 1. */
export function toBase58(bytes: Uint8Array): string {
	const zeros = bytes.findIndex((byte) => byte !== 0);
	if (zeros < 0) return '1'.repeat(bytes.length);
	let text = '';
	for (let value = BigInt(`0x${Buffer.from(bytes).toString('hex')}`); value > 0n; value /= 58n) {
		text = ALPHABET.charAt(Number(value % 58n)) + text;
	}
	return '1'.repeat(zeros) + text;
}

/** Double SHA-256, its first bytes. */
function checksum(payload: Uint8Array): Buffer {
	return sha256(sha256(payload)).subarray(0, CHECKSUM);
}

function sha256(bytes: Uint8Array): Buffer {
	return createHash('sha256').update(bytes).digest();
}

const RAW = /^(0|-1):[0-9a-f]{64}$/i;
/** URL-safe base64 or standard, not mixed. */
const FRIENDLY = /^([\w-]{48}|[a-z0-9+/]{48})$/i;
const BOUNCEABLE = 0x11;
const NON_BOUNCEABLE = 0x51;
const TEST_NETWORK = 0x80;
const BASECHAIN = 0x00;
const MASTERCHAIN = 0xff;

/** An account on a TON chain, raw or user-friendly, as it was given. */
export const tonAddress: Read<string> = (given) => {
	tonAccount(given);
	return trimmed(given);
};

export interface TonAccount {
	/** One byte: 0xff is -1, the masterchain. */
	readonly workchain: number;
	readonly hash: Buffer;
	/** Of a user-friendly address that only test networks take. */
	readonly isTestOnly: boolean;
}

/** A user-friendly address has a checksum. */
export const tonAccount: Read<TonAccount> = (given) => {
	const value = trimmed(given);
	if (RAW.test(value)) return rawAccount(value);
	if (!FRIENDLY.test(value)) {
		return mustBe('an address of 48 characters, such as EQ…, or 0: and 64 hex digits');
	}
	const bytes = Buffer.from(value, 'base64');
	if (crc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) {
		return mustBe('an address with a valid checksum: a character may be wrong');
	}
	const [tag = 0, workchain = 0] = bytes;
	const isKnown =
		[BOUNCEABLE, NON_BOUNCEABLE].includes(tag & ~TEST_NETWORK) &&
		[BASECHAIN, MASTERCHAIN].includes(workchain);
	return isKnown
		? { workchain, hash: bytes.subarray(2, 34), isTestOnly: (tag & TEST_NETWORK) !== 0 }
		: mustBe('the address of an account, such as EQ…, UQ…, kQ… or 0Q…');
};

function rawAccount(value: string): TonAccount {
	const [workchain, digits = ''] = value.split(':');
	return {
		workchain: workchain === '0' ? BASECHAIN : MASTERCHAIN,
		hash: Buffer.from(digits, 'hex'),
		isTestOnly: false,
	};
}

/** The forms of an account, the user-friendly ones in URL-safe base64. */
export function tonForms(account: TonAccount) {
	const { workchain, hash } = account;
	return {
		raw: `${workchain === MASTERCHAIN ? -1 : workchain}:${hash.toString('hex')}`,
		bounceable: friendly(BOUNCEABLE, account),
		nonBounceable: friendly(NON_BOUNCEABLE, account),
	};
}

function friendly(tag: number, { workchain, hash, isTestOnly }: TonAccount): string {
	const flags = isTestOnly ? tag | TEST_NETWORK : tag;
	const body = Buffer.concat([Buffer.from([flags, workchain]), hash]);
	const sum = Buffer.alloc(2);
	sum.writeUInt16BE(crc16(body));
	return Buffer.concat([body, sum]).toString('base64url');
}

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

/** Standard or URL-safe, padded or not; sent as standard base64. */
export const base64: Read<string> = (given) => {
	const bytes = typeof given === 'string' ? fromBase64(given) : undefined;
	return bytes && bytes.length > 0 ? bytes.toString('base64') : mustBe('complete base64');
};

/** Buffer ignores what is no base64 and stops early: what it decodes must encode to the same. */
function fromBase64(text: string): Buffer | undefined {
	const standard = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
	const bytes = Buffer.from(standard, 'base64');
	const padded = bytes.toString('base64');
	const isWhole = standard.length >= padded.replace(/=+$/, '').length;
	return isWhole && padded.startsWith(standard) ? bytes : undefined;
}
