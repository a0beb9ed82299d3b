import fc from 'fast-check';

const SURROGATE_COUNT = 0x800;

/** Characters of all of Unicode. fast-check counts its own one by one, which takes a second in each test file. */
const anyCharacter = fc
	.integer({ min: 0, max: 0x10ffff - SURROGATE_COUNT })
	.map((place) => String.fromCodePoint(place < 0xd800 ? place : place + SURROGATE_COUNT));

export const anyText = fc.string({ unit: anyCharacter });
