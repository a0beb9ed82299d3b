import { isRefusal, type RequestFailure } from '../errors/requestFailure';
import { toQuantity } from '../values/numbers';
import { isRecord } from '../values/read';

const HEX = /^0x[0-9a-f]+$/i;
const MOST_READ = 10_000;
/** So many entries of an error's data are looked through. */
const MOST_ENTRIES = 20;

/** The data that a contract reverted with, wherever a server puts it into its error; undefined if there is none. */
export function revertData(error: unknown): string | undefined {
	if (!isRecord(error)) return undefined;
	const { data, message, originalError } = error;
	return dataIn(data) ?? dataIn(originalError) ?? afterReverted(message);
}

function dataIn(data: unknown): string | undefined {
	if (!isRecord(data)) return hexIn(data) ?? afterReverted(data);
	const { originalError } = data;
	return (
		hexIn(data.data) ??
		hexIn(data.result) ??
		(isRecord(originalError) ? hexIn(originalError.data) : undefined) ??
		byTransaction(data)
	);
}

/** Whole bytes, and at least one. */
function hexIn(text: unknown): string | undefined {
	const isHex = typeof text === 'string' && text.length % 2 === 0 && HEX.test(beginningOf(text));
	return isHex ? text : undefined;
}

function beginningOf(text: string): string {
	return text.slice(0, MOST_READ);
}

/** `Reverted 0x…` */
function afterReverted(text: unknown): string | undefined {
	if (typeof text !== 'string') return undefined;
	const word = /\breverted:? (?=0x)/i.exec(beginningOf(text));
	if (!word) return undefined;
	return hexIn(/^0x[0-9a-f]*/i.exec(text.slice(word.index + word[0].length))?.[0]);
}

/** `{"0x<hash>": {"error": "revert", "return": "0x…"}}` */
function byTransaction(data: Record<string, unknown>): string | undefined {
	let looked = 0;
	for (const hash in data) {
		const outcome = /^0x[0-9a-f]{64}$/i.test(hash) ? data[hash] : undefined;
		const found = isRecord(outcome) ? hexIn(outcome.return) : undefined;
		if (found ?? ++looked === MOST_ENTRIES) return found;
	}
	return undefined;
}

const ERROR_STRING = '0x08c379a0';
const PANIC = '0x4e487b71';
const SELECTOR = 10;
const WORD = 64;

/** Solidity's panic codes. */
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

/** What revert data tells that the words of a node do not. */
export function reasonBeyond(words: string, data: string): string | undefined {
	const reason = revertReason(data);
	if (reason === undefined || words.includes(reason)) return undefined;
	const [lower, hex] = [words.toLowerCase(), beginningOf(data).toLowerCase()];
	const panic = panicCode(hex);
	if (panic !== undefined) return isPanicIn(lower, panic) ? undefined : reason;
	const isTold = lower.includes(hex.slice(0, SELECTOR)) && lower.includes(hex.slice(SELECTOR));
	return isTold ? undefined : reason;
}

/** Some nodes give the code, others put what it means behind `reverted:`. */
function isPanicIn(words: string, code: string): boolean {
	return words.includes('panic')
		? new RegExp(`\\b0x0*${code.slice(2)}\\b`).test(words)
		: /reverted: (?!revert$)\S/.test(words);
}

/** Error(string), Panic(uint256), or the data as it is; undefined if it is no revert data. */
export function revertReason(data: unknown): string | undefined {
	if (typeof data !== 'string' || data.length % 2 !== 0) return undefined;
	const lower = beginningOf(data).toLowerCase();
	if (!HEX.test(lower)) return undefined;
	const known = lower.startsWith(ERROR_STRING) ? errorString(lower) : panic(lower);
	return known ?? `data ${lower}`;
}

/** An offset, a length, the bytes. */
function errorString(data: string): string | undefined {
	const words = data.slice(ERROR_STRING.length);
	const length = Number(`0x${words.slice(WORD, 2 * WORD)}`);
	const text = words.slice(2 * WORD, 2 * WORD + length * 2);
	return length > 0 && text.length === length * 2 ? Buffer.from(text, 'hex').toString() : undefined;
}

function panic(data: string): string | undefined {
	const code = panicCode(data);
	const meaning = code && PANICS[code];
	return code && `panic ${code}${meaning ? ` (${meaning})` : ''}`;
}

function panicCode(data: string): string | undefined {
	if (!data.startsWith(PANIC) || data.length < PANIC.length + WORD) return undefined;
	return toQuantity(BigInt(`0x${data.slice(PANIC.length, PANIC.length + WORD)}`));
}

/**
 * What servers say when the code of a contract fails, as opposed to what they say of the call: geth and what is made of it,
 * Nethermind, Besu, Reth, Parity, Ganache, hardhat, anvil, ethereumjs, Frontier, java-tron, Lotus. An answer without end is
 * the contract's own doing as well, and so is that it is none.
 */
const FAILED_CODE = new RegExp(
	[
		'revert|out ?of ?gas|oog\\b|op ?code|gas uint64 overflow|not enough energy',
		'vm (execution )?error|vm exception|message execution failed|execution (halted|aborted|timed out)',
		'processing could not be completed due to an exception|cpu timeout',
		'(bad|invalid) ?(instruction|jump|operation|code)\\b|invalidjump|access ?violation',
		'stack ?(under|over)flow|stack (limit|items)|call ?depth|write protection|static ?(call|state|context)',
		'return ?data|out ?of ?(bounds|offset)|value out of range|illegal state change|precompile',
		'contract validate error|(no|not a|non-) ?contract|contract (is|does) not|invalid_(contract|solidity)',
		'response (size|is too|too)',
	].join('|'),
	'i',
);
/** Of geth, for a revert. */
const REVERTED = 3;

/** Whether the code of a contract failed, rather than the node. */
export function isOfContract(failure: RequestFailure): boolean {
	if (!isRefusal(failure) || failure.maybeExecuted) return false;
	const { answer } = failure;
	const code = isRecord(answer) ? answer.code : undefined;
	return code === REVERTED || revertData(answer) !== undefined || FAILED_CODE.test(failure.message);
}
