import fc from 'fast-check';

const SURROGATES = 0x800;

/** Characters of all of Unicode. Those of fast-check are counted one by one, which takes a second in each test file. */
const character = fc
	.integer({ min: 0, max: 0x10ffff - SURROGATES })
	.map((place) => String.fromCodePoint(place < 0xd800 ? place : place + SURROGATES));

export const anyText = fc.string({ unit: character });
