import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { getText, InvalidInput } from '../../../nodes/core';
import { parseKeyBytes } from './keyBytes';
import type { Ed25519Key, KeyLibrary } from './library';

/**
 * Parses the secret of a credential. No error contains what was typed, because it may be a secret with one wrong character.
 */
export function parseTonKey(
	library: KeyLibrary,
	{ secret }: ICredentialDataDecryptedObject,
): Ed25519Key {
	const typed = getText(secret).trim();
	const seed = parseKeyBytes(typed) ?? deriveSeed(library, parseWords(typed));
	return library.createEd25519Key(seed);
}

function deriveSeed(library: KeyLibrary, words: Uint8Array | undefined): Uint8Array {
	const seed = words && library.deriveSeed(words);
	if (seed) return seed;
	throw new InvalidInput(
		'The Secret of the credential must be the 24 words of a TON wallet, with blanks between, or 32 bytes as hex: 64 digits, with or without 0x before them',
		words
			? 'These 24 words are not those of a wallet: one is wrong, or they are in another order. Words with a password are not taken.'
			: 'Open the credential and enter it again.',
	);
}

const WORDS = 24;
/** The length of the longest word of a secret phrase. */
const MAX_WORD_CHARS = 8;
const [BLANK, UPPER_A, UPPER_Z, LOWER_A, LOWER_Z, UPPER_TO_LOWER] = [
	0x20, 0x41, 0x5a, 0x61, 0x7a, 0x20,
] as const;

/**
 * Parses words in lower case with single blanks, letter by letter into memory of its own. A Buffer would lie in
 * shared memory, and a regular expression would keep the words in the properties of RegExp.
 */
function parseWords(typed: string): Uint8Array | undefined {
	const bytes = new Uint8Array(WORDS * (MAX_WORD_CHARS + 1));
	let length = 0;
	let words = 1;
	for (let at = 0; at < typed.length; at++) {
		const code = toLower(typed.charCodeAt(at));
		if (code === undefined || length === bytes.length) return undefined;
		if (code === BLANK && bytes[length - 1] === BLANK) continue;
		if (code === BLANK) words++;
		bytes[length++] = code;
	}
	return words === WORDS ? bytes.slice(0, length) : undefined;
}

const LINE_BREAKS_AND_TAB: readonly number[] = [0x09, 0x0a, 0x0d];

/** Returns the code of the lower-case letter, or of a blank for any white space. Returns undefined for a character that no phrase has. */
function toLower(code: number): number | undefined {
	if (code >= UPPER_A && code <= UPPER_Z) return code | UPPER_TO_LOWER;
	if (code >= LOWER_A && code <= LOWER_Z) return code;
	return code === BLANK || LINE_BREAKS_AND_TAB.includes(code) ? BLANK : undefined;
}
