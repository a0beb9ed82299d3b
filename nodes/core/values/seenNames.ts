import { InvalidValue } from './parse';

/** Characters that people hardly notice: spaces, punctuation, accents, and characters without a visible shape. */
const UNSEEN = /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu;

/** Characters that change the direction of writing, so that a name is shown in another order than it is stored. */
const DIRECTION_PATTERN = /[\u202a-\u202e\u2066-\u2069]/;

/** Letters of other alphabets that look like Latin letters, in lower case or as capitals. */
const TWINS: Readonly<Record<string, string>> = {
	...{ a: 'аα', b: 'вьβ', c: 'с', d: 'ԁ', e: 'еε', g: 'ԍ', h: 'нһη', i: 'іιӏ', j: 'јϳ', k: 'кκ' },
	...{ m: 'мμ', n: 'пην', o: 'оο', p: 'рρ', q: 'ԛ', r: 'г', s: 'ѕ', t: 'тτ', u: 'цυ', v: 'ѵν' },
	...{ w: 'ѡω', x: 'хχ', y: 'уүγυ', z: 'ζ' },
};

/** Longer names are refused, because checking them would block n8n, and nobody reads such names. */
const MAX_NAME_CHARS = 1000;

/**
 * Makes a function that finds the known name for which people would take a given name. Examples are `To`, or `to`
 * with a Cyrillic letter or an invisible character.
 */
export function createNameFinder<Name extends string>(
	names: readonly Name[],
): (given: string) => Name | undefined {
	const known = names.map((name) => [reduceLatin(name), name] as const);
	const exact = new Map(known);
	return (given) => {
		if (given.length > MAX_NAME_CHARS)
			throw new InvalidValue(
				`a transaction whose field names have at most ${MAX_NAME_CHARS} characters`,
			);
		const isLatin = LATIN_PATTERN.test(given);
		if (!isLatin && DIRECTION_PATTERN.test(given))
			throw new InvalidValue(
				'a transaction without invisible characters in its field names: such characters change the order in which letters are shown',
			);
		const reduced = reduceLatin(isLatin ? given : given.normalize('NFKD').replace(UNSEEN, ''));
		const found = exact.get(reduced);
		if (found !== undefined || LATIN_PATTERN.test(reduced)) return found;
		return known.find(([name]) => isTwin(reduced, name))?.[1];
	};
}

const LATIN_PATTERN = /^[ -~]*$/;

/** Reduces a name to lower-case letters and digits. Characters that look alike become the same character. */
function reduceLatin(name: string): string {
	const seen = name.toLowerCase().replace(/[ -/:-`{-~]/g, '');
	return seen.replace(/[1l]/g, 'i').replaceAll('0', 'o').replaceAll('rn', 'm');
}

/**
 * Whether a name looks like another. No language mixes alphabets, so in a name with Latin letters, any other letter
 * may stand for any Latin letter.
 */
function isTwin(given: string, name: string): boolean {
	const letters = [...given];
	const isMixed = /[a-z]/.test(given);
	return (
		letters.length === name.length &&
		letters.every((letter, at) => {
			const latin = name.charAt(at);
			if (letter === latin) return true;
			return letter > '\u007f' && (isMixed || TWINS[latin]?.includes(letter) === true);
		})
	);
}
