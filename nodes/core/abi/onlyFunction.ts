/** As deep as tuples of tuples go in practice. */
const DEPTH = 5;

/** What a declaration holds but brackets; not comments and quotes, in which a bracket is none. */
const WORDS = `[^(){};/"']`;
/** The arguments, over several lines or not. */
const BRACKETS = nested();

/** Not even an opening bracket. An expression may become anything. */
const NONE = '(?!=)[^([{"]*';
/** While it is typed. */
const UNFINISHED = `\\s*(?:function\\s+)?\\w+\\s*\\([^){};/"'\\n]*`;
const SIGNATURE = `\\s*(?:function\\s+)?\\w+\\s*${BRACKETS}(?:(?!function\\b)[^(){};/"'\\n]|${BRACKETS})*(?:[;\\n]\\s*)?`;

/**
 * For n8n's conditions, which cannot read an ABI: what this matches holds at most one function and shows its name, so that
 * there is none to choose. What it does not match may hold one as well. n8n drops what was chosen before: in the JSON of
 * another contract nobody would see what is called now.
 */
export const ONE_FUNCTION_AT_MOST = `^(?:${[NONE, UNFINISHED, SIGNATURE].join('|')})$`;

/** A pair of brackets with such pairs in it. */
function nested(): string {
	let pair = `\\(${WORDS}*\\)`;
	for (let depth = 1; depth < DEPTH; depth++) pair = `\\((?:${WORDS}|${pair})*\\)`;
	return pair;
}
