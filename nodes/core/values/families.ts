/** The families of chains. A table over these does not compile if one is missing. */
export const FAMILY_NAMES = ['evm', 'witness', 'ton', 'stark'] as const;

export type Family = (typeof FAMILY_NAMES)[number];

/** The names of each family: in a menu, and in a sentence. */
export const FAMILY_WORDS: Readonly<Record<Family, { name: string; sentence: string }>> = {
	evm: { name: 'EVM', sentence: 'an EVM chain' },
	witness: { name: 'Witness', sentence: 'TRON' },
	ton: { name: 'TON', sentence: 'the TON chain' },
	stark: { name: 'STARK', sentence: 'a STARK rollup' },
};
