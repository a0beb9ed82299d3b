import { catching } from '../../values/parse';
import { decodeFunctionResult, parseFunction } from './call';
import { DecodingError } from './data';
import type { AbiFunction } from './entry';

export const NAME_FUNCTION = parseFunction('name() returns (string)');
export const SYMBOL_FUNCTION = parseFunction('symbol() returns (string)');

const EMPTY_DATA = '0x';
/** Limits the length of a name or a symbol. */
const MAX_TEXT_CHARS = 200;

/** Decodes a result; null where it does not fit the function. */
export function decodeOrNull(answer: string | undefined, called: AbiFunction): unknown {
	const value = catching(
		DecodingError,
		() => decodeFunctionResult(called, answer ?? EMPTY_DATA).result,
	);
	return value instanceof DecodingError ? null : value;
}

/** Some of the oldest contracts return names and symbols as 32 bytes. */
const BYTES32_TEXT_FUNCTION = parseFunction('text() returns (bytes32)');
const WORD_HEX_CHARS = 66;

/** Decodes the name or symbol of a token; null if the contract returned none. */
export function decodeTextOrNull(answer: string | undefined, called: AbiFunction): string | null {
	const decoded = decodeOrNull(answer, called);
	const text = typeof decoded === 'string' ? decoded : decodeBytes32Text(answer);
	return text && text.length > MAX_TEXT_CHARS ? shortenText(text) : text;
}

/** Copies the text, because a slice would keep the whole original text in memory. */
function shortenText(text: string): string {
	return Buffer.from(`${text.slice(0, MAX_TEXT_CHARS)}…`).toString();
}

function decodeBytes32Text(answer: string | undefined): string | null {
	const word =
		answer?.length === WORD_HEX_CHARS ? decodeOrNull(answer, BYTES32_TEXT_FUNCTION) : null;
	if (typeof word !== 'string') return null;
	const bytes = Buffer.from(word.slice(2), 'hex');
	const end = bytes.indexOf(0);
	return bytes.subarray(0, end < 0 ? bytes.length : end).toString();
}
