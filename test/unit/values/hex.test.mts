import fc from 'fast-check';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { parseHexBytes, parseHash } from '../../../nodes/core/values/hex';
import { parseEvmAddress } from '../../../nodes/core/evm/address';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const NOT_TEXT = [undefined, null, 0, 1n, true, {}, [], ['0x00']];

/** The examples of EIP-55. */
const CHECKSUMMED = [
	'0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	'0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
	'0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
	'0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
	'0x52908400098527886E0F7030069857D2E4169EE7',
	'0x8617E340B3D01FA5F11F306F4090FD50E238070D',
	'0xde709f2102306220921060314715629080e2fb77',
	'0x27b1fdb04752bbc536007a920d24acb045561c26',
];

describe('a hash', () => {
	const hashOf = (count: number) => `0x${'aB'.repeat(count)}`;

	test('is 0x and 32 bytes, in any case and with white space around it', () => {
		expect(parseHash(hashOf(32))).toBe(hashOf(32));
		expect(parseHash(` ${hashOf(32)}\n`)).toBe(hashOf(32));
	});

	test.each([
		['31 bytes', hashOf(31)],
		['33 bytes', hashOf(33)],
		['half a byte less', hashOf(32).slice(0, -1)],
		['without 0x', 'ab'.repeat(32)],
		['with a letter that is no digit', `0x${'ab'.repeat(31)}ag`],
		['nothing', ''],
	])('is refused: %s', (_, given) => {
		expect(() => parseHash(given)).toThrow(InvalidValue);
	});

	test.each(NOT_TEXT)('is not %p', (given) => {
		expect(() => parseHash(given)).toThrow(InvalidValue);
	});
});

describe('bytes', () => {
	test.each(['0x', '0x00', '0x18160ddd', '0xDEADbeef'])('are taken as given: %s', (given) => {
		expect(parseHexBytes(given)).toBe(given);
		expect(parseHexBytes(` ${given} `)).toBe(given);
	});

	test.each(['', '0', '00', 'deadbeef', '0xgg', '0x 00', '0x00,0x01'])('are not %p', (given) => {
		expect(() => parseHexBytes(given)).toThrow('bytes as 0x-hex');
	});

	test.each(['0x0', '0x123'])('with an odd number of digits are refused as such: %s', (given) => {
		expect(() => parseHexBytes(given)).toThrow('an even number of hex digits');
	});

	test.each(NOT_TEXT)('are not %p', (given) => {
		expect(() => parseHexBytes(given)).toThrow(InvalidValue);
	});
});

describe('an EVM address', () => {
	test.each(CHECKSUMMED)('in the case of its checksum is taken: %s', (address) => {
		expect(parseEvmAddress(address)).toBe(address);
		expect(parseEvmAddress(`\t${address} `)).toBe(address);
	});

	test.each(CHECKSUMMED)('in one case is taken, because it carries no checksum: %s', (address) => {
		const lower = address.toLowerCase();
		const upper = `0x${address.slice(2).toUpperCase()}`;
		expect(parseEvmAddress(lower)).toBe(lower);
		expect(parseEvmAddress(upper)).toBe(upper);
	});

	test('of mixed case is refused when the case of any one letter is wrong', () => {
		const mixed = CHECKSUMMED.slice(0, 4);
		fc.assert(
			fc.property(fc.constantFrom(...mixed), fc.integer({ min: 2, max: 41 }), (address, index) => {
				const letter = address.charAt(index);
				fc.pre(/[a-f]/i.test(letter));
				const swapped = /[a-f]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase();
				const flipped = address.slice(0, index) + swapped + address.slice(index + 1);
				expect(() => parseEvmAddress(flipped)).toThrow(/EIP-55/);
			}),
		);
	});

	test.each([
		['too short', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe'],
		['too long', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAedd'],
		['without 0x', '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
		['with a letter that is no digit', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg'],
		['a name', 'vitalik.eth'],
		['two addresses', `${CHECKSUMMED[0]},${CHECKSUMMED[1]}`],
		['nothing', ''],
	])('is refused: %s', (_, given) => {
		expect(() => parseEvmAddress(given)).toThrow('an address: 0x and 40 hex digits');
	});

	test.each(NOT_TEXT)('is not %p', (given) => {
		expect(() => parseEvmAddress(given)).toThrow(InvalidValue);
	});
});
