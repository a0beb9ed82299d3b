import { HDKey } from '@scure/bip32';
import { wordlists } from 'ethers';
import { parseAccountKey } from '../../../nodes/core/accountKey/accountKey';
import { RefusedSecret } from '../../../nodes/core/errors/invalidInput';
import { decodeBase58Check, encodeBase58Check } from '../../../nodes/core/values/base58';
import { parseField } from '../../../nodes/core/values/parse';
import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';

/** These tests show which keys are accepted as Account Key, and that errors repeat nothing of a refused key. */

const SEED = Buffer.alloc(32, 0xb7);
const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf };
const PATH = "m/44'/60'/0'";

const account = HDKey.fromMasterSeed(SEED).derive(PATH);
const testAccount = HDKey.fromMasterSeed(SEED, TEST_VERSIONS).derive(PATH);

function refuse(given: unknown): RefusedSecret {
	try {
		parseField('Account Key', given, parseAccountKey);
	} catch (error) {
		if (error instanceof RefusedSecret) return error;
		throw error;
	}
	throw new Error('It was taken');
}

/** Changes the payload of a key, and writes a correct checksum for it. */
function change(key: string, edit: (payload: Buffer) => void): string {
	const payload = Buffer.from(decodeBase58Check(key) ?? Buffer.alloc(0));
	edit(payload);
	return encodeBase58Check(payload);
}

function withVersion(key: string, version: number): string {
	return change(key, (payload) => payload.writeUInt32BE(version));
}

test.each([account, testAccount, account.deriveChild(0)])('a public key is taken: %#', (key) => {
	const taken = parseAccountKey(`\n ${key.publicExtendedKey} `);
	expect(taken.text).toBe(key.publicExtendedKey);
	expect(taken.isAccount).toBe(key.depth === 3);
	expect(Buffer.from(taken.chainCode)).toEqual(Buffer.from(key.chainCode ?? []));
});

const words = Array.from({ length: 24 }, (_, index) => wordlists.en?.getWord(index * 70) ?? '');
const privateKey = Buffer.from(account.privateKey ?? []).toString('hex');
const xprv = account.privateExtendedKey;

const PRIVATE: ReadonlyArray<readonly [string, unknown]> = [
	['xprv', xprv],
	['xprv of the root', HDKey.fromMasterSeed(SEED).privateExtendedKey],
	['xprv in white space', `\t${xprv}\n`],
	['xprv with a wrong checksum', `${xprv.slice(0, -1)}2`],
	['xprv that was cut', xprv.slice(0, 60)],
	['xprv with another letter in front', `a${xprv.slice(1)}`],
	['xprv in a descriptor', `wpkh([d34db33f/84h/0h/0h]${xprv}/0/*)`],
	['tprv', testAccount.privateExtendedKey],
	['zprv', withVersion(xprv, 0x04b2430c)],
	['yprv', withVersion(xprv, 0x049d7878)],
	['Ltpv', withVersion(xprv, 0x019d9cfe)],
	['a private key under the version of a public one', withVersion(xprv, 0x0488b21e)],
	['a private key under the version of no chain', withVersion(xprv, 0x11223344)],
	['a raw key', privateKey],
	['a raw key with 0x', `0x${privateKey.toUpperCase()}`],
	['WIF', encodeBase58Check(Buffer.from(`80${privateKey}01`, 'hex'))],
	['WIF of old', encodeBase58Check(Buffer.from(`80${privateKey}`, 'hex'))],
	['WIF of a test network', encodeBase58Check(Buffer.from(`ef${privateKey}01`, 'hex'))],
	['12 words', words.slice(0, 12).join(' ')],
	['24 words', words.join('  ')],
	['24 words, one a line', words.join('\n')],
	['words with numbers', words.map((word, index) => `${index + 1}. ${word}`).join(' ')],
	['words with commas', words.slice(0, 12).join(',')],
	['words in Japanese', Array.from({ length: 12 }, () => 'あいこくしん').join('\u3000')],
];

test.each(PRIVATE)('%s is refused as a private key', (_name, given) => {
	expect(refuse(given).message).toContain('a private key does not belong here');
});

test('10 MB of words are refused, and leave n8n its turns', async () => {
	const text = 'a '.repeat(5_000_000);
	const parse = async () => expect(refuse(text).message).toContain('a private key');
	expect(await measureLeastGap(parse)).toBeLessThan(ALLOWED_UNITS);
});

const REFUSED: ReadonlyArray<readonly [string, unknown, RegExp]> = [
	['nothing', '', /must be an extended public key/],
	['the key of the root', HDKey.fromMasterSeed(SEED).publicExtendedKey, /its depth is 0$/],
	['the key of an address', account.deriveChild(0).deriveChild(1).publicExtendedKey, /depth is 5$/],
	['zpub', withVersion(account.publicExtendedKey, 0x04b24746), /must be an extended public key/],
	['a wrong character', `${account.publicExtendedKey.slice(0, -1)}2`, /a valid checksum/],
	['a text that was cut', account.publicExtendedKey.slice(0, -5), /a valid checksum/],
	[
		'a point that is not on the curve',
		change(account.publicExtendedKey, (payload) => payload.fill(0xff, 46)),
		/a point that is on the curve$/,
	],
	[
		'a key of another form',
		change(account.publicExtendedKey, (payload) => payload.writeUInt8(5, 45)),
		/a point that is on the curve$/,
	],
	['an address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', /must be an extended public key/],
	['a short text with a checksum', encodeBase58Check(Buffer.from([1])), /an extended public key/],
	['a list of words', words, /must be an extended public key/],
	['a list', [xprv], /must be an extended public key/],
	['an object', { key: xprv }, /must be an extended public key/],
	['a number', 7, /must be an extended public key/],
	['a long text', 'x'.repeat(1_000_000), /must be an extended public key/],
];

test.each(REFUSED)('%s is refused', (_name, given, message) => {
	expect(refuse(given).message).toMatch(message);
});

test('nothing of what is refused comes out', () => {
	for (const [, given] of [...PRIVATE, ...REFUSED]) {
		const text = typeof given === 'string' ? given.trim() : JSON.stringify(given);
		const { message, description, stack } = refuse(given);
		const shown = `${message} ${description} ${stack}`;
		for (let at = 0; at + 8 <= Math.min(text.length, 200); at++) {
			expect(shown).not.toContain(text.slice(at, at + 8));
		}
	}
});
