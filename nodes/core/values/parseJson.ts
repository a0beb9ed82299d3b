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

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
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
