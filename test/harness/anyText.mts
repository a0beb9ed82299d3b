import fc from 'fast-check';

const SURROGATE_COUNT = 0x800;

/**
 * A character from all of Unicode. The generators of fast-check would take a second to count their characters in each
 * test file.
 */
export const anyCharacter = fc
	.integer({ min: 0, max: 0x10ffff - SURROGATE_COUNT })
	.map((place) => String.fromCodePoint(place < 0xd800 ? place : place + SURROGATE_COUNT));

export const anyText = fc.string({ unit: anyCharacter });
