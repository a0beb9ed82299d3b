import { isBlank, isRecord, mustBe, type Read } from './read';

const LOST_DIGITS = 'JSON without whole numbers above 2^53: write them as text or as 0x-hex';

/** JSON as text, or the value that an expression gave. A number that would lose digits is refused. */
export const json: Read<unknown> = (given) => {
	if (typeof given !== 'string') return holdsUnsafe(given) ? mustBe(LOST_DIGITS) : given;
	const value = tryParseJson(given);
	if (value === undefined) return mustBe('valid JSON');
	return holdsUnsafeInteger(given) ? mustBe(LOST_DIGITS) : value;
};

/** JSON as text that is sent as it was written, whatever its numbers. */
export const jsonText: Read<string> = (given) => {
	if (typeof given !== 'string') return JSON.stringify(json(given)) ?? mustBe('JSON');
	return tryParseJson(given) === undefined ? mustBe('valid JSON') : given;
};

export const jsonList: Read<unknown[]> = (given) => {
	const value = json(given);
	return Array.isArray(value) ? (value as unknown[]) : mustBe('a JSON array');
};

/** What JSON-RPC calls with: a JSON array, or an object of named parameters. */
export const jsonParams: Read<unknown[] | Record<string, unknown>> = (given) => {
	const value = json(given);
	if (Array.isArray(value)) return value as unknown[];
	return isRecord(value) ? value : mustBe('a JSON array, or a JSON object of named parameters');
};

/** A JSON object, or an array of them. */
export const jsonObjects: Read<Array<Record<string, unknown>>> = (given) => {
	const value = json(given);
	const list: unknown[] = Array.isArray(value) ? value : [value];
	return list.length > 0 && list.every(isRecord)
		? list
		: mustBe('a JSON object, or an array of JSON objects');
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

/** Parses JSON without losing a digit: an integer that a JavaScript number cannot hold becomes a string. */
export function parseJson(source: string): unknown {
	let quoted = '';
	let copied = 0;
	for (const [start, end] of unsafeIntegers(source)) {
		quoted += `${source.slice(copied, start)}"${source.slice(start, end)}"`;
		copied = end;
	}
	return JSON.parse(copied === 0 ? source : quoted + source.slice(copied));
}

/** Parses JSON, or gives undefined, which no JSON stands for. */
export function tryParseJson(source: string): unknown {
	try {
		return parseJson(source);
	} catch {
		return undefined;
	}
}

/** Whether JSON text holds an integer that a JavaScript number cannot hold. */
export function holdsUnsafeInteger(source: string): boolean {
	return unsafeIntegers(source).length > 0;
}

/** n8n stores what comes out by functions that call themselves, and these end at some 4,000 levels. */
const DEEPEST = 3000;
const UNSAFE_LENGTH = 16;
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;

const codes = (characters: string) => [...characters].map((character) => character.charCodeAt(0));
const [QUOTE, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT, MINUS, ZERO = 0, NINE = 0] =
	codes('"[{]}-09');
/** What a number may be made of beside digits. */
const FURTHER = new Set(codes('.eE+-'));

/** Where integers stand that a number cannot hold, strings left alone. Every answer passes here: once, and fast. */
function unsafeIntegers(source: string): Array<readonly [number, number]> {
	const found: Array<readonly [number, number]> = [];
	let depth = 0;
	for (let at = 0; at < source.length; ) {
		const start = at;
		const code = source.charCodeAt(at++);
		if (code === QUOTE) at = endOfString(source, start);
		else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
		else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
		else if (isDigit(code) || code === MINUS) {
			while (isDigit(source.charCodeAt(at)) || FURTHER.has(source.charCodeAt(at))) at++;
			if (at - start >= UNSAFE_LENGTH && isUnsafe(source.slice(start, at))) found.push([start, at]);
		}
		if (depth > DEEPEST) throw new SyntaxError('The JSON is nested too deeply');
	}
	return found;
}

function isDigit(code: number): boolean {
	return code >= ZERO && code <= NINE;
}

function isUnsafe(number: string): boolean {
	return LONG_INTEGER.test(number) && !Number.isSafeInteger(Number(number));
}

/** Where the string ends that begins with the quote at `start`; one that is not closed takes the rest. */
function endOfString(source: string, start: number): number {
	for (let end = start + 1; ; end++) {
		end = source.indexOf('"', end);
		if (end < 0) return source.length;
		let slashes = 0;
		while (source[end - 1 - slashes] === '\\') slashes++;
		if (slashes % 2 === 0) return end + 1;
	}
}
