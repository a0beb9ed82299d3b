import { raise } from '../errors/raise';
import { parseExactInteger } from '../values/numbers';
import { InvalidValue, parseText, trimText, wholeNumberParser, type Parse } from '../values/parse';

const HASH_PATTERN = /^(?:0x)?([0-9a-f]{64})$/i;
const BASE64_HASH_PATTERN = /^[\w+/-]{43}=?$/;

/** Parses a hash in hex or in base64. Returns it as 64 hex digits. */
export const parseTonHash: Parse<string> = (given) => {
	const text = trimText(given);
	const [, digits] = HASH_PATTERN.exec(text) ?? [];
	if (digits) return digits.toLowerCase();
	const bytes = BASE64_HASH_PATTERN.test(text) ? Buffer.from(text, 'base64') : undefined;
	return bytes?.length === 32
		? bytes.toString('hex')
		: raise(new InvalidValue('a hash: 64 hex digits, or 44 characters of base64'));
};

function wholeParser(bits: number, wanted: string): Parse<bigint> {
	return (given) => {
		const value = parseExactInteger(given, /^\d+$/, wanted);
		return value >= 0n && value >> BigInt(bits) === 0n ? value : raise(new InvalidValue(wanted));
	};
}

/** Parses an amount in nanocoins, or in the smallest unit of a jetton. */
export const parseUnits: Parse<bigint> = wholeParser(120, 'a whole amount below 2^120');
/** Parses a logical time: the chain's own time, which grows with each transaction. */
export const parseLogicalTime: Parse<bigint> = wholeParser(64, 'a whole number below 2^64');

/** Parses an exit code or a result code, which may be negative. */
export const parseCode: Parse<number> = (given) => {
	const code = Number(parseExactInteger(given, /^-?\d+$/, 'a whole number'));
	return Math.abs(code) <= 2 ** 31
		? code
		: raise(new InvalidValue('a whole number from -2^31 to 2^31'));
};

export const parseTruth: Parse<boolean> = (given) =>
	typeof given === 'boolean' ? given : raise(new InvalidValue('true or false'));

const MAX_SECONDS = 2 ** 32 - 1;

/** Parses Unix seconds, given as a number or as text. */
export const parseSeconds: Parse<number> = (given) =>
	wholeNumberParser(0, MAX_SECONDS)(Number(parseText(given)));

/** Unix seconds as ISO 8601. */
export function formatSeconds(seconds: number): string {
	return new Date(seconds * 1000).toISOString();
}
