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
	return !unsafeIntegers(source).next().done;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONG = 16;
const NUMBER = /-?\d[\d.eE+-]*/g;
const LONG_INTEGER = /^-?[1-9]\d{15,}$/;

/** Where integers stand that a number cannot hold. Digits inside strings are left alone. */
function* unsafeIntegers(source: string): Generator<readonly [number, number]> {
	if (!/\d{16}/.test(source)) return;
	for (let start = 0; start < source.length; ) {
		const quote = source.indexOf('"', start);
		const end = quote < 0 ? source.length : quote;
		if (end - start >= LONG) yield* unsafeBetween(source, start, end);
		start = quote < 0 ? end : endOfString(source, quote);
	}
}

function* unsafeBetween(
	source: string,
	start: number,
	end: number,
): Generator<readonly [number, number]> {
	for (const { 0: number, index } of source.slice(start, end).matchAll(NUMBER)) {
		if (!LONG_INTEGER.test(number) || Number.isSafeInteger(Number(number))) continue;
		yield [start + index, start + index + number.length];
	}
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
