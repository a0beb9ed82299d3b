/** As deep as tuples of tuples go in practice. */
const DEPTH = 5;

/** What a declaration holds but brackets; not comments and quotes, in which a bracket is none. */
const WORDS = `[^(){};/"']`;
/** The arguments, over several lines or not. */
const BRACKETS = nested(['\\(', '\\)'], WORDS);
/** An entry of a JSON ABI. */
const ENTRY = nested(['\\{', '\\}'], `(?:[^{}"]|"[^"\\\\]*")`);

/** Not even an opening bracket. An expression may become anything. */
const NONE = '(?!=)[^([{"]*';
/** While it is typed. */
const UNFINISHED = `\\s*(?:function\\s+)?\\w+\\s*\\([^){};/"'\\n]*`;
const SIGNATURE = `\\s*(?:function\\s+)?\\w+\\s*${BRACKETS}(?:(?!function\\b)[^(){};/"'\\n]|${BRACKETS})*(?:[;\\n]\\s*)?`;
const JSON_ENTRY = `\\s*(?!\\{[^]*?"abi")${ENTRY}\\s*`;
const JSON_LIST = `\\s*\\[\\s*${ENTRY}\\s*\\]\\s*`;

/**
 * For n8n's conditions, which cannot read an ABI: what this matches holds at most one function, so that there is none to
 * choose. What it does not match may hold one as well.
 */
export const ONE_FUNCTION_AT_MOST = `^(?:${[NONE, UNFINISHED, SIGNATURE, JSON_ENTRY, JSON_LIST].join('|')})$`;

/** A pair of brackets with such pairs in it. */
function nested([open, close]: readonly [string, string], other: string): string {
	let pair = `${open}${other}*${close}`;
	for (let depth = 1; depth < DEPTH; depth++) pair = `${open}(?:${other}|${pair})*${close}`;
	return pair;
}
