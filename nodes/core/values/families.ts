/**
 * The families of chains. Each difference between them is a table over these, which does not compile where one is
 * missing.
 */
export const FAMILIES = ['evm', 'witness', 'ton', 'stark'] as const;

export type Family = (typeof FAMILIES)[number];

/** What each is called in a sentence. */
export const FAMILY_WORDS: Readonly<Record<Family, string>> = {
	evm: 'an EVM chain',
	witness: 'the witness chain',
	ton: 'the TON chain',
	stark: 'a STARK rollup',
};
