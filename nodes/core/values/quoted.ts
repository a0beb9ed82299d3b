/** The character that replaces each misleading character. */
const REPLACEMENT = '?';
/** A character has at most two UTF-16 units, so reading the beginning of a very long text suffices. */
const MAX_UTF16_UNITS_PER_CHAR = 2;

/** Matches all characters except letters, numbers and signs of scripts that are written from left to right. */
const MISLEADING_CHARACTERS =
	/[^\p{L}\p{N}\p{P}\p{S} ]|[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/gu;
/**
 * Matches everything except ASCII and currency signs in a token's symbol. Letters of other scripts can look like
 * ASCII letters, so a fake token could imitate another token's symbol.
 */
const UNUSUAL_SYMBOL_CHARACTERS = /[^ -~\p{Sc}]/gu;
const QUOTE_LIKE_CHARACTERS =
	/["\\\u00ab\u00bb\u201c-\u201f\u2033\u2036\u275d\u275e\u301d-\u301f\uff02]/g;

/**
 * Quotes text from outside in a sentence. The result is short and on one line. Characters are replaced that could be
 * taken for a part of the sentence, or change how the rest is displayed.
 */
export function quoteText(text: string, mostChars: number): string {
	return putInQuotes(text, mostChars, MISLEADING_CHARACTERS);
}

const MAX_SYMBOL_CHARS = 20;

/** Quotes the symbol of a token, which may be any text; undefined if it is empty. */
export function quoteSymbol(symbol: string | null): string | undefined {
	return symbol?.trim()
		? putInQuotes(symbol, MAX_SYMBOL_CHARS, UNUSUAL_SYMBOL_CHARACTERS)
		: undefined;
}

/**
 * Shortens text from outside for an entry of a list, on one line. Characters that change how text is displayed are
 * replaced.
 */
export function shortenText(text: string, mostChars: number): string {
	return shorten(text, mostChars, MISLEADING_CHARACTERS);
}

function putInQuotes(text: string, mostChars: number, struck: RegExp): string {
	return `"${shorten(text, mostChars, struck).replace(QUOTE_LIKE_CHARACTERS, "'")}"`;
}

function shorten(text: string, mostChars: number, struck: RegExp): string {
	const characters = [
		...text.slice(0, MAX_UTF16_UNITS_PER_CHAR * (mostChars + 1)).normalize('NFC'),
	];
	const isCut = characters.length > mostChars;
	const kept = characters
		.slice(0, mostChars)
		.join('')
		.replace(/\s+/g, ' ')
		.replace(struck, REPLACEMENT);
	return `${kept}${isCut ? '…' : ''}`;
}
