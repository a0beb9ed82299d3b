/** The families of chains. A table with an entry for each family does not compile if an entry is missing. */
export const FAMILY_NAMES = ['evm', 'witness', 'ton', 'stark'] as const;

export type Family = (typeof FAMILY_NAMES)[number];

/** The names of each family: for a menu, and for the middle of a sentence. */
export const FAMILY_WORDS: Readonly<Record<Family, { name: string; sentence: string }>> = {
	evm: { name: 'EVM', sentence: 'an EVM chain' },
	witness: { name: 'Witness', sentence: 'TRON' },
	ton: { name: 'TON', sentence: 'the TON chain' },
	stark: { name: 'STARK', sentence: 'a STARK rollup' },
};
