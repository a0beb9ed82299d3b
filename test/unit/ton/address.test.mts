import { Address, beginCell, crc16 } from '@ton/core';
import fc from 'fast-check';
import { InvalidValue } from '../../../nodes/core/values/parse';
import { parseBase64 } from '../../../nodes/core/values/base64';
import { parseTonAddress } from '../../../nodes/core/ton/address';
import { buildMisspellings, filterAccepted } from '../support/misspellings.mts';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120), numRuns: 300 });

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_+/';
const NOT_TEXT = [undefined, null, 0, 1n, true, {}, []];

/** Five spellings of the same account. */
const RAW = '0:556c2ec7bbe83786d617cecb7c2f9b9c57be8d3337812b751124a79b37663593';
const FRIENDLY = [
	'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
	'UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
	'kQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1kyXa',
	'0QBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k3gf',
];

const addresses = fc
	.tuple(fc.constantFrom(0, -1), fc.uint8Array({ minLength: 32, maxLength: 32 }))
	.map(([workchain, hash]) => new Address(workchain, Buffer.from(hash)));

const spellings = fc
	.tuple(addresses, fc.boolean(), fc.boolean(), fc.boolean())
	.map(([address, bounceable, testOnly, urlSafe]) =>
		address.toString({ bounceable, testOnly, urlSafe }),
	);

/** Writes an address in the URL-safe alphabet of base64, which means the same address. */
const urlSafe = (text: string) => text.replace(/\+/g, '-').replace(/\//g, '_');

describe('a TON address', () => {
	test.each([RAW, RAW.toUpperCase(), RAW.replace('0:', '-1:'), ...FRIENDLY])(
		'is taken as given: %s',
		(given) => {
			expect(parseTonAddress(given)).toBe(given);
			expect(parseTonAddress(` ${given}\n`)).toBe(given);
		},
	);

	test('is taken in every spelling that another implementation writes', () => {
		fc.assert(
			fc.property(spellings, (address) => {
				expect(parseTonAddress(address)).toBe(address);
			}),
		);
		fc.assert(
			fc.property(addresses, (address) => {
				expect(parseTonAddress(address.toRawString())).toBe(address.toRawString());
			}),
		);
	});

	test.each(FRIENDLY)('is refused when any one character is another: %s', (address) => {
		const others = buildMisspellings(address, ALPHABET).filter((text) => urlSafe(text) !== address);
		expect(filterAccepted(parseTonAddress, others)).toEqual([]);
	});

	test('is refused when its alphabets are mixed', () => {
		fc.assert(
			fc.property(spellings.map(urlSafe), (address) => {
				fc.pre(address.includes('-') && address.includes('_'));
				expect(() => parseTonAddress(address.replace('-', '+'))).toThrow(InvalidValue);
			}),
		);
	});

	test('of another kind or chain is refused although its checksum fits', () => {
		const tagged = (tag: number, workchain: number) => {
			const body = Buffer.concat([Buffer.from([tag, workchain]), Buffer.alloc(32, 7)]);
			return Buffer.concat([body, crc16(body)]).toString('base64url');
		};
		expect(parseTonAddress(tagged(0x11, 0x00))).toMatch(/^EQ/);
		for (const [tag, workchain] of [
			[0x12, 0x00],
			[0x00, 0x00],
			[0xff, 0x00],
			[0x11, 0x01],
			[0x51, 0x7f],
		] as const) {
			expect(() => parseTonAddress(tagged(tag, workchain))).toThrow('the address of an account');
		}
	});

	test.each([
		['one character less', FRIENDLY[0]?.slice(0, -1)],
		['one character more', `${FRIENDLY[0]}A`],
		['two addresses', `${FRIENDLY[0]},${FRIENDLY[1]}`],
		['raw without a chain', RAW.slice(2)],
		['raw on a chain that is none', RAW.replace('0:', '1:')],
		['raw on chain -2', RAW.replace('0:', '-2:')],
		['raw with one digit less', RAW.slice(0, -1)],
		['raw with one digit more', `${RAW}0`],
		['raw with a letter that is no digit', `${RAW.slice(0, -1)}g`],
		['raw with 0x', RAW.replace(':', ':0x')],
		['an EVM address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
		['a name', 'foundation.ton'],
		['white space inside', `${FRIENDLY[0]?.slice(0, 20)} ${FRIENDLY[0]?.slice(21)}`],
		['nothing', ''],
	])('is refused: %s', (_, given) => {
		expect(() => parseTonAddress(given)).toThrow('an address of 48 characters');
	});

	test.each([...NOT_TEXT, [RAW]])('is not %p', (given) => {
		expect(() => parseTonAddress(given)).toThrow(InvalidValue);
	});
});

const cells = fc
	.uint8Array({ minLength: 0, maxLength: 120 })
	.map((bytes) => beginCell().storeBuffer(Buffer.from(bytes)).endCell().toBoc());

describe('a body in base64', () => {
	test('is taken in any base64, and sent in the standard one', () => {
		fc.assert(
			fc.property(cells, (boc) => {
				const standard = boc.toString('base64');
				const lines = standard.replace(/(.{7})/g, '$1\n');
				const bare = standard.replace(/=+$/, '');
				for (const given of [standard, boc.toString('base64url'), lines, bare, ` ${standard}\t`]) {
					expect(parseBase64(given)).toBe(standard);
				}
			}),
		);
	});

	const standard = 'te6cckEBAQEAAgAAAEysuc0=';

	test.each([
		['a character that is none', 'te6cck!BAQEAAgAAAEysuc0='],
		['a dot', `${standard}.`],
		['one character missing', standard.slice(1)],
		['one more', `A${standard}`],
		['five in the last group', 'te6cckEBAQEAAgAAAEysuc0AA'],
		['padding in the middle', `${standard}${standard}`],
		['too much padding', `${standard}=`],
		['padding where none belongs', 'te6cckEB===='],
		['bits that are left over', 'te6cckEBAQEAAgAAAEysuc1='],
		['a data URL', `data:;base64,${standard}`],
	])('is refused as base64: %s', (_, given) => {
		expect(() => parseBase64(given)).toThrow(InvalidValue);
	});

	test.each([
		['nothing', ''],
		['white space', ' \n'],
		['padding alone', '=='],
	])('is refused: %s', (_, given) => {
		expect(() => parseBase64(given)).toThrow('complete base64');
	});

	test('that holds no cells is for the service to refuse', () => {
		const text = Buffer.from('hello').toString('base64');
		expect(parseBase64(text)).toBe(text);
	});

	test.each(NOT_TEXT)('is not %p', (given) => {
		expect(() => parseBase64(given)).toThrow(InvalidValue);
	});
});
