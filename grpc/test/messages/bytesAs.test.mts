import fc from 'fast-check';
import { encodeBase58 } from '../../../nodes/core/values/base58';
import { formatBytes, parseBytes, type BytesAs } from '../../library/json/bytes.mts';
import { callOf, createLyingServer } from '../support/lyingServer.mts';
import { getSeed } from '../../../test/harness/caseCount.mts';

const server = createLyingServer({ methods: { '/t.S/Do': (request) => request } });

async function echoed(b: string, bytesAs?: BytesAs) {
	const { json, message } = await server.run(callOf('Do', { b }, bytesAs && { bytesAs }));
	return message ?? json[0]?.b;
}

/** Published Solana addresses with their bytes: the address of the clock, and the address of the token program. */
const KEYS: ReadonlyArray<readonly [string, string]> = [
	[
		'SysvarC1ock11111111111111111111111111111111',
		'06a7d51718c774c928566398691d5eb68b5eb8a39b4b6d5c73555b2100000000',
	],
	[
		'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
		'06ddf6e1d765a193d9cbe146ceeb79ac1cb485ed5f5b37913a8cf5857eff00a9',
	],
	['11111111111111111111111111111111', '00'.repeat(32)],
];

test.each(KEYS)('%s in base58 is %s in hex', async (key, hex) => {
	expect(encodeBase58(Buffer.from(hex, 'hex'))).toBe(key);
	expect(await echoed(key, 'base58')).toBe(key);
	expect(await echoed(`0x${hex}`, 'base58')).toBe(key);
	expect(await echoed(`base58:${key}`, 'hex')).toBe(`0x${hex}`);
	expect(await echoed(`base58:${key}`)).toBe(Buffer.from(hex, 'hex').toString('base64'));
	expect(await echoed(`hex:${hex}`)).toBe(Buffer.from(hex, 'hex').toString('base64'));
});

const DIGITS = '07e7d6b2'.repeat(8);

test.each<[string, string]>([
	['64 hex digits', DIGITS],
	['the digits of an address', DIGITS.slice(0, 40)],
	['the digits of a long key', `02${DIGITS}`],
	['capital digits', DIGITS.toUpperCase()],
	['digits with the end of a line', `${DIGITS}\n`],
	['digits in lines', DIGITS.replace(/.{16}/g, '$&\r\n')],
	['a key of 44 characters', '9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin'],
	['a key of 43 characters', KEYS[1]?.[0] ?? ''],
	['a key among blanks', ` ${KEYS[0]?.[0]}\n`],
	[
		'a signature',
		'5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW',
	],
])('%s may be meant in two ways: which, is asked', async (_, text) => {
	const message = await echoed(text);
	expect(message).toMatch(/^'Request' does not fit t\.M: b could be (hex|base58) or base64: /);
	expect(message).toMatch(/'Bytes As'/);
});

test.each<[BytesAs, string, string]>([
	['base64', DIGITS, Buffer.from(DIGITS, 'base64').toString('base64')],
	[
		'base64',
		'9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
		'9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
	],
	['base64', '0xab', '0xab'],
	['base64', `0x${DIGITS}`, Buffer.from(DIGITS, 'hex').toString('base64')],
	['hex', DIGITS, `0x${DIGITS}`],
	['hex', `0x${DIGITS}`, `0x${DIGITS}`],
	['hex', '', '0x'],
	['hex', ' 0xab cd\n', '0xabcd'],
	['hex', 'ab cd\n', '0xabcd'],
	['base58', ` ${KEYS[0]?.[0]}\n`, KEYS[0]?.[0] ?? ''],
	['base58', '', ''],
	[
		'base58',
		'9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
		'9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin',
	],
])('as %s, %s comes out as %s', async (as, text, out) => {
	expect(await echoed(text, as)).toBe(out);
});

test.each<[BytesAs, string]>([
	['hex', 'YQ=='],
	['hex', 'abc'],
	['hex', '0xabc'],
	['base58', '0OIl'],
	['base58', 'a b'],
	['base58', '1'.repeat(1000)],
	['base64', 'a!'],
])('as %s, %j is refused', async (as, text) => {
	expect(await echoed(text, as)).toMatch(/^'Request' does not fit t\.M: b must be bytes/);
});

test('what is too long for base58 comes out in base64, and says so', async () => {
	const bytes = Buffer.alloc(129, 7);
	const text = `base64:${bytes.toString('base64')}`;
	expect(await echoed(bytes.toString('base64'), 'base64')).toBe(bytes.toString('base64'));
	expect(await echoed(text, 'base58')).toBe(text);
});

test('whatever comes out goes in again as the same', () => {
	const bytes = fc.uint8Array({ maxLength: 300 });
	fc.assert(
		fc.property(bytes, fc.constantFrom<BytesAs>('base64', 'hex', 'base58'), (value, as) => {
			expect(Buffer.from(parseBytes(formatBytes(value, as), as) ?? [1])).toEqual(
				Buffer.from(value),
			);
		}),
		{ seed: getSeed(20_261_121), numRuns: 2000 },
	);
});

test.each(['0xabcdef1234\n', ' 0xabcdef1234', '0xabcd ef12\t34', 'hex: abcdef1234\n'])(
	'%j is hex, blanks or not',
	async (text) => {
		expect(await echoed(text)).toBe(Buffer.from('abcdef1234', 'hex').toString('base64'));
	},
);

test('bytes of wrappers and of Anys are written like the others', async () => {
	const any = { '@type': 'type.googleapis.com/google.protobuf.BytesValue', value: '0xff' };
	const { json } = await server.run(callOf('Do', { any }, { bytesAs: 'hex' }));
	expect(json).toMatchObject([{ any }]);
});
