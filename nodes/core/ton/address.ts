import { trimText, type Parse, InvalidValue } from '../values/parse';
import { invalidAddress } from '../values/addressForms';
import { raise } from '../errors/raise';

const RAW_ADDRESS_PATTERN = /^(0|-1):[0-9a-f]{64}$/i;
/** A user-friendly address is either URL-safe or standard base64, never a mixture. */
const FRIENDLY_ADDRESS_PATTERN = /^([\w-]{48}|[a-z0-9+/]{48})$/i;
const BOUNCEABLE_TAG = 0x11;
const NON_BOUNCEABLE_TAG = 0x51;
const TEST_NETWORK_FLAG = 0x80;
const BASECHAIN_BYTE = 0x00;
const MASTERCHAIN_BYTE = 0xff;

/** Checks an address on a TON chain, raw or user-friendly, and returns it as it was given. */
export const parseTonAddress: Parse<string> = (given) => {
	parseTonAccount(given);
	return trimText(given);
};

export interface TonAccount {
	/** The number of the workchain as an unsigned byte: 0xff stands for -1, the masterchain. */
	readonly workchain: number;
	readonly hash: Buffer;
	/** Set if the user-friendly address has the flag that only test networks accept. */
	readonly isTestOnly: boolean;
}

/** Parses a raw or a user-friendly address. The checksum of a user-friendly address is checked. */
export const parseTonAccount: Parse<TonAccount> = (given) => {
	const value = trimText(given);
	if (RAW_ADDRESS_PATTERN.test(value)) return parseRawAccount(value);
	if (!FRIENDLY_ADDRESS_PATTERN.test(value)) {
		throw invalidAddress(
			'ton',
			value,
			'an address of 48 characters, such as EQ…, or 0: and 64 hex digits',
		);
	}
	const bytes = Buffer.from(value, 'base64');
	if (computeCrc16(bytes.subarray(0, 34)) !== bytes.readUInt16BE(34)) {
		throw new InvalidValue('an address with a valid checksum: a character may be wrong');
	}
	const [tag = 0, workchain = 0] = bytes;
	const isKnown =
		[BOUNCEABLE_TAG, NON_BOUNCEABLE_TAG].includes(tag & ~TEST_NETWORK_FLAG) &&
		[BASECHAIN_BYTE, MASTERCHAIN_BYTE].includes(workchain);
	return isKnown
		? { workchain, hash: bytes.subarray(2, 34), isTestOnly: (tag & TEST_NETWORK_FLAG) !== 0 }
		: raise(new InvalidValue('the address of an account, such as EQ…, UQ…, kQ… or 0Q…'));
};

/** Whether an address is raw. A raw address has no flags for bounces and test networks. */
export function isRawAddress(address: string): boolean {
	return RAW_ADDRESS_PATTERN.test(trimText(address));
}

function parseRawAccount(value: string): TonAccount {
	const [workchain, digits = ''] = value.split(':');
	return {
		workchain: workchain === '0' ? BASECHAIN_BYTE : MASTERCHAIN_BYTE,
		hash: Buffer.from(digits, 'hex'),
		isTestOnly: false,
	};
}

/** Formats an account in its three forms. The user-friendly forms are URL-safe base64. */
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
