import { isRefusal, type RequestFailure } from '../../errors/requestFailure';
import { numberToHex } from '../../values/numbers';
import { isRecord } from '../../values/parse';

const HEX_PATTERN = /^0x[0-9a-f]+$/i;
const MAX_REVERT_CHARS = 10_000;
/** At most this many entries of an error's data are searched. */
const MAX_DATA_ENTRIES = 20;

/** Finds the data of a revert in an error. Servers put it in different places. Undefined if there is none. */
export function findRevertData(error: unknown): string | undefined {
	if (!isRecord(error)) return undefined;
	const { data, message, originalError } = error;
	return findDataIn(data) ?? findDataIn(originalError) ?? findHexAfterReverted(message);
}

function findDataIn(data: unknown): string | undefined {
	if (!isRecord(data)) return getHex(data) ?? findHexAfterReverted(data);
	const { originalError } = data;
	return (
		getHex(data.data) ??
		getHex(data.result) ??
		(isRecord(originalError) ? getHex(originalError.data) : undefined) ??
		findReturnByTransaction(data)
	);
}

/** Returns the text if it is hex of one or more whole bytes. */
function getHex(text: unknown): string | undefined {
	const isHex =
		typeof text === 'string' && text.length % 2 === 0 && HEX_PATTERN.test(takeBeginning(text));
	return isHex ? text : undefined;
}

function takeBeginning(text: string): string {
	return text.slice(0, MAX_REVERT_CHARS);
}

/** Finds hex after `Reverted 0x…`. */
function findHexAfterReverted(text: unknown): string | undefined {
	if (typeof text !== 'string') return undefined;
	const word = /\breverted:? (?=0x)/i.exec(takeBeginning(text));
	if (!word) return undefined;
	return getHex(/^0x[0-9a-f]*/i.exec(text.slice(word.index + word[0].length))?.[0]);
}

/** Finds the data in errors of the form `{"0x<hash>": {"error": "revert", "return": "0x…"}}`. */
function findReturnByTransaction(data: Record<string, unknown>): string | undefined {
	let looked = 0;
	for (const hash in data) {
		const outcome = /^0x[0-9a-f]{64}$/i.test(hash) ? data[hash] : undefined;
		const found = isRecord(outcome) ? getHex(outcome.return) : undefined;
		if (found ?? ++looked === MAX_DATA_ENTRIES) return found;
	}
	return undefined;
}

const ERROR_STRING_SELECTOR = '0x08c379a0';
const PANIC_SELECTOR = '0x4e487b71';
const SELECTOR_CHARS = 10;
const WORD_DIGITS = 64;

/** Solidity's panic codes. */
const PANIC_MEANINGS: Readonly<Record<string, string>> = {
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

/** Decodes the reason of a revert; undefined if the node's message already contains it. */
export function findMissingReason(words: string, data: string): string | undefined {
	const reason = decodeRevertReason(data);
	if (reason === undefined || words.includes(reason)) return undefined;
	const [lower, hex] = [words.toLowerCase(), takeBeginning(data).toLowerCase()];
	const panic = decodePanicCode(hex);
	if (panic !== undefined) return isPanicNamed(lower, panic) ? undefined : reason;
	const isTold =
		lower.includes(hex.slice(0, SELECTOR_CHARS)) && lower.includes(hex.slice(SELECTOR_CHARS));
	return isTold ? undefined : reason;
}

/** Whether the message already names the panic. Some nodes give its code, other nodes its meaning after `reverted:`. */
function isPanicNamed(words: string, code: string): boolean {
	return words.includes('panic')
		? new RegExp(`\\b0x0*${code.slice(2)}\\b`).test(words)
		: /reverted: (?!revert$)\S/.test(words);
}

/** Decodes Error(string) or Panic(uint256). Other hex data is returned as it is; undefined for anything else. */
export function decodeRevertReason(data: unknown): string | undefined {
	if (typeof data !== 'string' || data.length % 2 !== 0) return undefined;
	const lower = takeBeginning(data).toLowerCase();
	return HEX_PATTERN.test(lower) ? (decodeStandardError(lower) ?? `data ${lower}`) : undefined;
}

/** Decodes Error(string) or Panic(uint256) from 0x-hex; undefined for anything else. */
export function decodeStandardError(data: string): string | undefined {
	const lower = takeBeginning(data).toLowerCase();
	return lower.startsWith(ERROR_STRING_SELECTOR) ? decodeErrorString(lower) : formatPanic(lower);
}

/** Decodes the text of an Error(string), which follows an offset and a length. */
function decodeErrorString(data: string): string | undefined {
	const words = data.slice(ERROR_STRING_SELECTOR.length);
	const length = Number(`0x${words.slice(WORD_DIGITS, 2 * WORD_DIGITS)}`);
	const text = words.slice(2 * WORD_DIGITS, 2 * WORD_DIGITS + length * 2);
	return length > 0 && text.length === length * 2 ? Buffer.from(text, 'hex').toString() : undefined;
}

function formatPanic(data: string): string | undefined {
	const code = decodePanicCode(data);
	const meaning = code && PANIC_MEANINGS[code];
	return code && `panic ${code}${meaning ? ` (${meaning})` : ''}`;
}

function decodePanicCode(data: string): string | undefined {
	if (!data.startsWith(PANIC_SELECTOR) || data.length < PANIC_SELECTOR.length + WORD_DIGITS)
		return undefined;
	return numberToHex(
		BigInt(`0x${data.slice(PANIC_SELECTOR.length, PANIC_SELECTOR.length + WORD_DIGITS)}`),
	);
}

/**
 * Matches error messages that mean that a contract's code failed, and not the node. The messages are those of geth
 * and its derivatives, Nethermind, Besu, Reth, Parity, Ganache, hardhat, anvil, ethereumjs, Frontier, java-tron and
 * Lotus. An answer that is too large and a missing contract count as failures of the contract, too.
 */
const CONTRACT_FAILURE_PATTERN = new RegExp(
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
/** The error code of geth for a revert. */
const REVERT_CODE = 3;

/** Whether the contract's code failed, and not the node. */
export function isContractFailure(failure: RequestFailure): boolean {
	if (!isRefusal(failure) || failure.maybeExecuted) return false;
	const { answer } = failure;
	const code = isRecord(answer) ? answer.code : undefined;
	return (
		code === REVERT_CODE ||
		findRevertData(answer) !== undefined ||
		CONTRACT_FAILURE_PATTERN.test(failure.message)
	);
}
