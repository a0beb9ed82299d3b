import fc from 'fast-check';
import { toHex, toRlp } from 'viem';
import {
	encodeNumberBytes,
	encodeRlp,
	decodeRlpFields,
	type Rlp,
} from '../../../../nodes/core/evm/transactions/rlp';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261123), numRuns: getCaseCount(500) });

type Plain = `0x${string}` | readonly Plain[];

const plain = (value: Rlp): Plain =>
	Buffer.isBuffer(value) ? toHex(value) : value.map((one) => plain(one));

const lists = fc.letrec<{ any: Rlp; bytes: Rlp; list: Rlp }>((tie) => ({
	any: fc.oneof({ maxDepth: 4 }, tie('bytes'), tie('list')),
	bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
	list: fc.array(tie('any'), { maxLength: 5 }),
}));

test('bytes and nested lists are written as another implementation writes them', () => {
	fc.assert(
		fc.property(lists.any, (value) => {
			expect(toHex(encodeRlp(value))).toBe(toRlp(plain(value)));
		}),
	);
});

test.each([0, 1, 55, 56, 255, 256, 65_535, 65_536])('%d bytes and as many items', (length) => {
	const bytes = Buffer.alloc(length, 0x80);
	const items = new Array<Buffer>(length).fill(Buffer.from([1]));
	expect(toHex(encodeRlp(bytes))).toBe(toRlp(toHex(bytes)));
	expect(toHex(encodeRlp(items))).toBe(toRlp(items.map((one) => toHex(one))));
});

test.each([
	[0n, ''],
	[1n, '01'],
	[255n, 'ff'],
	[256n, '0100'],
	[2n ** 256n - 1n, 'ff'.repeat(32)],
])('the number %d is %j, without leading zeros', (value, hex) => {
	expect(encodeNumberBytes(value).toString('hex')).toBe(hex);
});

test('the fields of a list are read back, lists in it as they stand', () => {
	fc.assert(
		fc.property(lists.list, (value) => {
			const fields = Buffer.isBuffer(value) ? [] : value;
			const wanted = fields.map((one) => (Buffer.isBuffer(one) ? one : encodeRlp(one)));
			expect(decodeRlpFields(encodeRlp(fields))).toEqual(wanted);
		}),
	);
});

test.each([
	'',
	'00',
	'80',
	'83616263',
	'c1',
	'c281',
	'c1c1',
	'c000',
	'bf',
	'ff',
	'f8ff',
	'ffffffffffffffffff',
	'c2bf80',
])('%p is no list of fields', (hex) => {
	expect(decodeRlpFields(Buffer.from(hex, 'hex'))).toBeUndefined();
});

test('hostile bytes end, whatever they are', () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
			expect(decodeRlpFields(Buffer.from(bytes)) ?? []).toBeInstanceOf(Array);
		}),
	);
});
