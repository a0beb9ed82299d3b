import { decodeBase58Check } from '../values/base58';
import { isRecord } from '../values/parse';
import { raise } from '../errors/raise';

type JsonRecord = Readonly<Record<string, unknown>>;

/** The error for a part of an answer in an unexpected form. Its message is the name of the field. */
export class MalformedPart extends Error {}

export function malformedError(name: string): MalformedPart {
	return new MalformedPart(name);
}

export function parseRecordPart(value: unknown, name: string): JsonRecord {
	return isRecord(value) ? value : raise(malformedError(name));
}

/** Parses a list of objects. The chain leaves out an empty list. */
export function parseRecordsPart(value: unknown, name: string): readonly JsonRecord[] {
	if (value === undefined || value === null) return [];
	return Array.isArray(value) && value.every(isRecord) ? value : raise(malformedError(name));
}

const HASH_PATTERN = /^[0-9a-f]{64}$/i;

export function parseHashPart(value: unknown, name: string): string {
	return typeof value === 'string' && HASH_PATTERN.test(value)
		? value.toLowerCase()
		: raise(malformedError(name));
}

const HEX_PATTERN = /^(?:[0-9a-f]{2})*$/i;

/** Empty bytes are left out. */
export function parseHexPart(value: unknown, name: string): string {
	if (value === undefined || value === null) return '';
	return typeof value === 'string' && HEX_PATTERN.test(value)
		? value.toLowerCase()
		: raise(malformedError(name));
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Parses an amount. The chain leaves out an amount of 0. A large amount is a text, so that it keeps its digits. */
export function parseAmountPart(value: unknown, name: string): bigint {
	if (value === undefined || value === null) return 0n;
	const isWhole =
		typeof value === 'number'
			? Number.isSafeInteger(value) && value >= 0
			: typeof value === 'string' && /^\d{1,19}$/.test(value);
	const amount = isWhole ? BigInt(value as number | string) : raise(malformedError(name));
	return amount <= MAX_INT64 ? amount : raise(malformedError(name));
}

/** Parses the number of a block, or a time. The chain leaves it out if it is 0. */
export function parseNumberPart(value: unknown, name: string): number {
	if (value === undefined) return 0;
	return Number.isSafeInteger(value) && Number(value) >= 0
		? Number(value)
		: raise(malformedError(name));
}

const BARE_ADDRESS_PATTERN = /^[0-9a-f]{40}$/i;
const HEX_ADDRESS_PATTERN = /^41[0-9a-f]{40}$/i;
const BASE58_ADDRESS_CHARS = 34;

/**
 * Parses an account to 40 hex digits. Nodes write it in hex, with or without 41 before it. Gateways write base58 even
 * when asked for hex.
 */
export function parseAccountPart(value: unknown, name: string): string {
	const text = typeof value === 'string' ? value : raise(malformedError(name));
	if (HEX_ADDRESS_PATTERN.test(text)) return text.slice(2).toLowerCase();
	if (BARE_ADDRESS_PATTERN.test(text)) return text.toLowerCase();
	const hex =
		text.length === BASE58_ADDRESS_CHARS ? decodeBase58Check(text)?.toString('hex') : undefined;
	return hex !== undefined && HEX_ADDRESS_PATTERN.test(hex)
		? hex.slice(2)
		: raise(malformedError(name));
}
