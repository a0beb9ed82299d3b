import fc from 'fast-check';
import { utils } from 'tronweb';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { decodeBase58Check, encodeBase58Check } from '../../../nodes/core/values/base58';
import { witnessAddressParser } from '../../../nodes/core/witness/address';
import { buildMisspellings, filterAccepted } from '../support/misspellings.mts';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const base58 = witnessAddressParser(true);
const hex = witnessAddressParser(false);

const KNOWN = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';
const KNOWN_HEX = '41517591d35d313bf6a5e33098284502b045e2bc08';
const NOT_TEXT = [undefined, null, 0, 1n, true, {}, [], [KNOWN]];
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

const accounts = fc
	.uint8Array({ minLength: 20, maxLength: 20 })
	.map((bytes) => `41${Buffer.from(bytes).toString('hex')}`);

describe('base58check', () => {
	test.each([
		[KNOWN, KNOWN_HEX],
		['1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', '0062e907b15cbf27d5425399ebf6f0fb50ebb88f18'],
		['1111111111111111111114oLvT2', '00'.repeat(21)],
	])('%s means its bytes', (given, bytes) => {
		expect(decodeBase58Check(given)?.toString('hex')).toBe(bytes);
	});

	test.each([
		'',
		'1',
		'1111',
		KNOWN.slice(1),
		KNOWN.slice(0, -1),
		`1${KNOWN}`,
		`${KNOWN} `,
		'0OIl',
	])('%p means nothing', (given) => {
		expect(decodeBase58Check(given)).toBeUndefined();
	});

	test('reads and writes as another implementation', () => {
		fc.assert(
			fc.property(accounts, (account) => {
				const written = utils.address.fromHex(account);
				expect(decodeBase58Check(written)?.toString('hex')).toBe(account);
				expect(encodeBase58Check(Buffer.from(account, 'hex'))).toBe(written);
			}),
		);
	});
});

describe('an address while visible is on', () => {
	test('is base58, sent as given', () => {
		expect(base58(KNOWN)).toBe(KNOWN);
		expect(base58(` ${KNOWN}\n`)).toBe(KNOWN);
	});

	test('may be any account', () => {
		fc.assert(
			fc.property(accounts, (account) => {
				const address = utils.address.fromHex(account);
				expect(base58(address)).toBe(address);
			}),
		);
	});

	test('is refused when any one character is another', () => {
		for (const address of [KNOWN, utils.address.fromHex(`41${'00'.repeat(20)}`)]) {
			// The alphabet contains a space. A space at the end of an address is trimmed, so the address lacks a character.
			expect(filterAccepted(base58, buildMisspellings(address, `${ALPHABET}0OIl+ é`))).toEqual([]);
		}
	});

	test('is refused when two neighbours are swapped', () => {
		for (let index = 1; index < KNOWN.length; index++) {
			const pair = KNOWN.charAt(index) + KNOWN.charAt(index - 1);
			const swapped = KNOWN.slice(0, index - 1) + pair + KNOWN.slice(index + 1);
			if (swapped !== KNOWN) expect(() => base58(swapped)).toThrow(InvalidValue);
		}
	});

	test.each([KNOWN_HEX, KNOWN_HEX.toUpperCase()])('is not hex: %s', (given) => {
		expect(() => base58(given)).toThrow(
			"base58 (T…) while 'Base58 Addresses' is on: turn it off to use hex",
		);
	});

	test.each([
		['one character less', KNOWN.slice(0, -1)],
		['one character more', `${KNOWN}1`],
		['of another chain', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
		['hex of a length that is none', KNOWN_HEX.slice(2)],
		['an EVM address', '0x517591d35d313bf6a5e33098284502b045e2bc08'],
		['two addresses', `${KNOWN},${KNOWN}`],
		['nothing', ''],
		['a name', 'super representative'],
	])('is refused: %s', (_, given) => {
		expect(() => base58(given)).toThrow('an address in base58: T and 33 letters and digits');
	});

	test('is refused for its checksum in words of its own', () => {
		expect(() => base58(`${KNOWN.slice(0, -1)}D`)).toThrow('checksum');
	});

	test.each(['40', '42'])('is refused with the prefix %s, though T begins it, too', (prefix) => {
		const other = [0x00, 0xff].map((byte) =>
			encodeBase58Check(Buffer.concat([Buffer.from(prefix, 'hex'), Buffer.alloc(20, byte)])),
		);
		const given = other.filter((address) => address.startsWith('T'));
		expect(given).not.toEqual([]);
		for (const address of given) expect(() => base58(address)).toThrow(InvalidValue);
	});

	test.each(NOT_TEXT)('is not %p', (given) => {
		expect(() => base58(given)).toThrow(InvalidValue);
	});
});

describe('an address while visible is off', () => {
	test('is 42 hex digits in any case, sent as given', () => {
		fc.assert(
			fc.property(accounts, fc.boolean(), (account, upper) => {
				const address = upper ? account.toUpperCase() : account;
				expect(hex(` ${address}`)).toBe(address);
			}),
		);
	});

	test('is not base58', () => {
		expect(() => hex(KNOWN)).toThrow(
			"hex (41…) while 'Base58 Addresses' is off: turn it on to use base58",
		);
	});

	test.each([
		['one digit less', KNOWN_HEX.slice(0, -1)],
		['one digit more', `${KNOWN_HEX}0`],
		['one byte more', `${KNOWN_HEX}00`],
		['without 41', KNOWN_HEX.slice(2)],
		['another prefix', `a0${KNOWN_HEX.slice(2)}`],
		['the next prefix', `42${KNOWN_HEX.slice(2)}`],
		['41 elsewhere', `${KNOWN_HEX.slice(2)}41`],
		['with 0x', `0x${KNOWN_HEX}`],
		['an EVM address', `0x${KNOWN_HEX.slice(2)}`],
		['a letter that is no digit', `${KNOWN_HEX.slice(0, -1)}g`],
		['white space inside', `${KNOWN_HEX.slice(0, 20)} ${KNOWN_HEX.slice(21)}`],
		['two addresses', `${KNOWN_HEX},${KNOWN_HEX}`],
		['nothing', ''],
	])('is refused: %s', (_, given) => {
		expect(() => hex(given)).toThrow('an address in hex: 42 digits that begin with 41');
	});

	test.each(NOT_TEXT)('is not %p', (given) => {
		expect(() => hex(given)).toThrow(InvalidValue);
	});
});
