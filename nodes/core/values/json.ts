import type { Read } from './read';
import { holdsUnsafeInteger, isRecord, tryParseJson } from './parseJson';
import { isBlank, unfit } from './read';

const LOST_DIGITS = 'JSON without whole numbers above 2^53: write them as text or as 0x-hex';

/** JSON as text, or the value that an expression gave. A number that would lose digits is refused. */
export const json: Read<unknown> = (given) => {
	if (typeof given !== 'string') return holdsUnsafe(given) ? unfit(LOST_DIGITS) : given;
	const value = tryParseJson(given);
	if (value === undefined) return unfit('valid JSON');
	return holdsUnsafeInteger(given) ? unfit(LOST_DIGITS) : value;
};

/** JSON as text that is sent as it was written, whatever its numbers. */
export const jsonText: Read<string> = (given) => {
	if (typeof given !== 'string') return JSON.stringify(json(given)) ?? unfit('JSON');
	return tryParseJson(given) === undefined ? unfit('valid JSON') : given;
};

export const jsonList: Read<unknown[]> = (given) => {
	const value = json(given);
	return Array.isArray(value) ? (value as unknown[]) : unfit('a JSON array');
};

/** What JSON-RPC calls with: a JSON array, or an object of named parameters. */
export const jsonParams: Read<unknown[] | Record<string, unknown>> = (given) => {
	const value = json(given);
	if (Array.isArray(value)) return value as unknown[];
	return isRecord(value) ? value : unfit('a JSON array, or a JSON object of named parameters');
};

/** A JSON object, or an array of them. */
export const jsonObjects: Read<Array<Record<string, unknown>>> = (given) => {
	const value = json(given);
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list.length > 0 && list.every(isRecord)
		? list
		: unfit('a JSON object, or an array of JSON objects');
};

/** A list as comma-separated text, as a JSON array or as an array that an expression gave. */
export function listOf<T>(read: Read<T>): Read<T[]> {
	return (given) => {
		if (isBlank(given)) return [];
		return entries(typeof given === 'string' ? given.trim() : given).map(read);
	};
}

function entries(given: unknown): unknown[] {
	if (Array.isArray(given)) return given as unknown[];
	if (typeof given !== 'string') return [given];
	if (given.startsWith('[')) return jsonList(given);
	const parts = given.split(/[\s,]+/);
	return parts.filter((part) => part !== '');
}

function holdsUnsafe(value: unknown): boolean {
	if (typeof value === 'number') return mayHaveLostDigits(value);
	return typeof value === 'object' && value !== null && Object.values(value).some(holdsUnsafe);
}

/** Up to 15 digits and any zeros behind them are kept, as in 1e18; a number with more was rounded. */
function mayHaveLostDigits(value: number): boolean {
	if (!Number.isInteger(value) || Number.isSafeInteger(value)) return false;
	const [digits = ''] = Math.abs(value).toExponential().split('e');
	return digits.replace('.', '').length > 15;
}
