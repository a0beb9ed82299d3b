import { catching, isRecord } from '../values/parse';
import { decodeByteArray } from './abi/byteArray';
import { DecodingError, FeltReader } from './abi/data';
import { decodeShortString, tryParseFelt } from './felts';

/** In a list of felts, this felt marks the beginning of a text of any length. */
const BYTE_ARRAY_MARK = 0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3n;

/** Errors are followed to this depth, because the sender of a transaction can nest them as deep as it likes. */
const MAX_NESTED_ERRORS = 1_000;
/** Only the end of a long text is searched, because the reason stands there. */
const MAX_REASON_CHARS = 20_000;
const MAX_SHOWN_CHARS = 500;

/**
 * Finds in words why a call failed. It searches the data of an error, or the text of a trace or a receipt. Returns
 * undefined if no reason is found.
 */
export function findRevertReason(given: unknown): string | undefined {
	const text = findInnermostText(given);
	if (text === undefined) return undefined;
	const end = text.slice(-MAX_REASON_CHARS);
	const reason = findOwnMessage(end) ?? findPanic(end) ?? findSentence(end) ?? getLastLine(end);
	return reason === undefined ? undefined : shortenReason(reason);
}

/** Finds the text of the innermost error. Errors are nested like calls, and the innermost error has the reason. */
function findInnermostText(given: unknown): string | undefined {
	let error = given;
	for (let depth = 0; isRecord(error) && depth < MAX_NESTED_ERRORS; depth++) {
		error = error.revert_error ?? error.execution_error ?? error.revert_reason ?? error.error;
	}
	return typeof error === 'string' ? error : undefined;
}

/**
 * Words in an error that do not give the reason. The chain and some accounts add them once for each of the nested
 * calls.
 */
const NOISE = new Set([
	'',
	'ENTRYPOINT_FAILED',
	'ENTRYPOINT_NOT_FOUND',
	'argent/multicall-failed',
	'multicall-failed',
]);
const FAILURE_PATTERN = /(?:failure reason|panicked with)/gi;
const FELT_PATTERN = /(0x[0-9a-f]{1,64})\b(?:\s*\('([^'\n]{0,100})'\))?/gi;

/** Finds the panic data: felts with or without their text, a message in quotes, or the felts of a long text. */
function findPanic(text: string): string | undefined {
	const starts = [...text.matchAll(FAILURE_PATTERN)].map(({ index }) => index);
	const panic = withoutPlaces(text.slice(starts.at(-1) ?? 0));
	const [, quoted] = /"([^"\n]+)"/.exec(panic) ?? [];
	if (quoted !== undefined) return quoted;
	const felts = [...panic.matchAll(FELT_PATTERN)];
	const numbers = felts.map(([, hex]) => tryParseFelt(hex) ?? 0n);
	const long = decodeLongText(numbers);
	if (long !== undefined) return long;
	const texts = felts.map(([, , shown], index) => shown ?? decodeShortString(numbers[index] ?? 0n));
	const words = texts.filter((one) => one !== undefined && !NOISE.has(one));
	return words.length > 0 ? [...new Set(words)].join(', ') : undefined;
}

/** Removes addresses, class hashes and selectors, whose numbers are not part of a reason. */
function withoutPlaces(text: string): string {
	return text
		.replace(/\((?:contract address|class hash|selector)[^)\n]*\)/gi, '')
		.replace(
			/(?:contract address|class hash|selector|EntryPointSelector)[:(\s]*0x[0-9a-f]+\)?/gi,
			'',
		);
}

function decodeLongText(felts: readonly bigint[]): string | undefined {
	const mark = felts.indexOf(BYTE_ARRAY_MARK);
	if (mark < 0) return undefined;
	const bytes = catching(DecodingError, () =>
		decodeByteArray(new FeltReader(felts.slice(mark + 1))),
	);
	return bytes instanceof DecodingError ? undefined : bytes.toString();
}

/** A contract of Cairo 0 states its reason in this form, above the assertion that failed. */
const OWN_MESSAGE_PATTERN = /Error message: ([^\n]+)/gi;
const SENTENCE_PATTERN =
	/Entry point [^\n]{0,200} not found in contract|Requested contract address [^\n]{0,200} is not deployed|An ASSERT_EQ instruction failed[^\n]*|out of gas|insufficient max [^\n]*/gi;

function findOwnMessage(text: string): string | undefined {
	return [...text.matchAll(OWN_MESSAGE_PATTERN)].at(-1)?.[1];
}

function findSentence(text: string): string | undefined {
	return text.match(SENTENCE_PATTERN)?.at(-1);
}

function getLastLine(text: string): string | undefined {
	const lines = text.split('\n').map((line) => line.trim());
	return lines.filter((line) => line !== '' && !/traceback|^Error at pc/i.test(line)).at(-1);
}

function shortenReason(text: string): string {
	return text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text;
}
