const ERROR_STRING = '0x08c379a0';
const PANIC = '0x4e487b71';
const WORD = 64;
/** Nobody would read a longer reason. */
const MOST_READ = 10_000;

/** What Solidity's panic codes stand for. */
const PANICS: Readonly<Record<string, string>> = {
	'0x1': 'an assertion failed',
	'0x11': 'arithmetic overflow or underflow',
	'0x12': 'division by zero',
	'0x21': 'not a value of the enum',
	'0x22': 'badly encoded storage bytes',
	'0x31': 'pop on an empty array',
	'0x32': 'array index out of bounds',
	'0x41': 'out of memory',
	'0x51': 'call of an uninitialized function',
};

/** Why a contract reverted, from the data that came with it; undefined when the data is none. */
export function revertReason(data: unknown): string | undefined {
	if (typeof data !== 'string' || data.length % 2 !== 0 || data === '0x') return undefined;
	const lower = data.slice(0, MOST_READ).toLowerCase();
	if (!/^0x[0-9a-f]*$/.test(lower)) return undefined;
	const known = lower.startsWith(ERROR_STRING) ? errorString(lower) : panic(lower);
	return known ?? `data ${lower}`;
}

/** Error(string): the offset of the text, its length, its bytes. */
function errorString(data: string): string | undefined {
	const words = data.slice(ERROR_STRING.length);
	const length = Number(`0x${words.slice(WORD, 2 * WORD)}`);
	const text = words.slice(2 * WORD, 2 * WORD + length * 2);
	return length > 0 && text.length === length * 2 ? Buffer.from(text, 'hex').toString() : undefined;
}

function panic(data: string): string | undefined {
	if (!data.startsWith(PANIC) || data.length < PANIC.length + WORD) return undefined;
	const code = `0x${BigInt(`0x${data.slice(PANIC.length, PANIC.length + WORD)}`).toString(16)}`;
	const meaning = PANICS[code];
	return `panic ${code}${meaning ? ` (${meaning})` : ''}`;
}
