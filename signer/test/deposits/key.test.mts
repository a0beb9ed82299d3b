import { HDKey } from '@scure/bip32';
import { HDNodeWallet, wordlists } from 'ethers';
import { InvalidInput } from '../../../nodes/core';
import { getCaseCount } from '../../../test/harness/caseCount.mts';
import { createRandom } from '../../../test/harness/random.mts';
import { decodeBase58Check, encodeBase58Check } from '../../../nodes/core/values/base58';
import { parseDepositKey, type DepositKey } from '../../nodes/core/depositKey';
import { loadKeyLibrary, type KeyLibrary } from '../../nodes/core/library';

/**
 * Tests of the field Account Private Key: which keys it accepts, which addresses are derived, and that errors do not repeat a refused key.
 */

const SEED = Buffer.alloc(32, 0xb7);
const TEST_VERSIONS = { private: 0x04358394, public: 0x043587cf };
const PATH = "m/44'/60'/0'";
const account = HDKey.fromMasterSeed(SEED).derive(PATH);
const testAccount = HDKey.fromMasterSeed(SEED, TEST_VERSIONS).derive(PATH);

let library: KeyLibrary;
beforeAll(async () => (library = await loadKeyLibrary()));

const open = (accountPrivateKey: unknown): DepositKey =>
	parseDepositKey(library, { accountPrivateKey } as never);

test.each([account, testAccount, account.deriveChild(0)])('a private key is taken: %#', (key) => {
	const taken = open(`\n ${key.privateExtendedKey} `);
	const chain = key.depth === 3 ? key.deriveChild(0) : key;
	expect(taken.isAccount).toBe(key.depth === 3);
	for (const index of [0, 1, 2 ** 31 - 1]) {
		const { privateKey } = chain.deriveChild(index);
		const expected = library.createKey(Uint8Array.from(privateKey ?? []));
		expect(taken.derive(index)?.account).toBe(expected?.account);
		const hash = Buffer.alloc(32, 7);
		expect(taken.derive(index)?.sign(hash)).toEqual(expected?.sign(hash));
	}
});

/** The published test vectors 1 and 2 of BIP-32, at the depths of an account (3) and of its child for addresses (4). */
test.each([
	['000102030405060708090a0b0c0d0e0f', "m/0'/1/2'", 2],
	['000102030405060708090a0b0c0d0e0f', "m/0'/1/2'/2", 1_000_000_000],
	[
		'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a29f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542',
		"m/0/2147483647'/1",
		2,
	],
])('keys of the vectors of BIP-32, of seed %s at %s', (seed, path, index) => {
	const parent = HDNodeWallet.fromSeed(`0x${seed}`).derivePath(path);
	const below = parent.depth === 3 ? `0/${index}` : String(index);
	expect(`0x${open(parent.extendedKey).derive(index)?.account}`).toBe(
		parent.derivePath(below).address.toLowerCase(),
	);
});

test('addresses are those that ethers and the public key derive, whatever the seed', () => {
	const random = createRandom(77);
	for (let round = 0; round < getCaseCount(100); round++) {
		const wallet = HDNodeWallet.fromSeed(random.bytes(32)).derivePath(PATH);
		const index = random.upTo(2 ** 31 - 1);
		expect(`0x${open(wallet.extendedKey).derive(index)?.account}`).toBe(
			wallet.neuter().derivePath(`0/${index}`).address.toLowerCase(),
		);
	}
});

/** Changes the payload of a key, and computes its checksum again. */
function change(key: string, edit: (payload: Buffer) => void): string {
	const payload = Buffer.from(decodeBase58Check(key) ?? Buffer.alloc(0));
	edit(payload);
	return encodeBase58Check(payload);
}

const withVersion = (key: string, version: number) =>
	change(key, (payload) => payload.writeUInt32BE(version));

const xprv = account.privateExtendedKey;
const privateKey = Buffer.from(account.privateKey ?? []).toString('hex');
const words = Array.from({ length: 24 }, (_, at) => wordlists.en?.getWord(at * 70) ?? '');

const REFUSED: ReadonlyArray<readonly [string, unknown, RegExp]> = [
	['nothing', '', /must be an extended private key/],
	['nothing at all', undefined, /must be an extended private key/],
	['xpub', account.publicExtendedKey, /must be an extended private key/],
	['tpub', testAccount.publicExtendedKey, /must be an extended private key/],
	['the key of the root', HDKey.fromMasterSeed(SEED).privateExtendedKey, /its depth is 0$/],
	['the key of a purpose', HDKey.fromMasterSeed(SEED).derive("m/44'").privateExtendedKey, /is 1$/],
	[
		'the key of an address',
		account.deriveChild(0).deriveChild(1).privateExtendedKey,
		/depth is 5$/,
	],
	['zprv', withVersion(xprv, 0x04b2430c), /must be an extended private key/],
	['a private key under the version of a public one', withVersion(xprv, 0x0488b21e), /private key/],
	[
		'a public key under the version of a private one',
		withVersion(account.publicExtendedKey, 0x0488ade4),
		/must be an extended private key/,
	],
	['a wrong character', `${xprv.slice(0, -1)}${xprv.endsWith('2') ? 3 : 2}`, /valid checksum/],
	['a key that was cut', xprv.slice(0, 60), /valid checksum/],
	['a key in a descriptor', `wpkh([d34db33f/84h/0h/0h]${xprv}/0/*)`, /valid checksum/],
	['0', change(xprv, (payload) => payload.fill(0, 45)), /must be an extended private key/],
	[
		'a number above the order of the curve',
		change(xprv, (payload) => payload.fill(0xff, 46)),
		/must be an extended private key/,
	],
	['a raw key', privateKey, /valid checksum/],
	['WIF', encodeBase58Check(Buffer.from(`80${privateKey}01`, 'hex')), /extended private key/],
	['24 words', words.join(' '), /valid checksum/],
	['a short text with a checksum', encodeBase58Check(Buffer.from([1])), /extended private key/],
	['a long text', 'x'.repeat(1_000_000), /valid checksum/],
	['a list', [xprv], /must be an extended private key/],
	['an object', { toString: () => xprv }, /must be an extended private key/],
	['a number', 7, /must be an extended private key/],
];

function refuse(given: unknown): InvalidInput {
	try {
		open(given);
	} catch (error) {
		if (error instanceof InvalidInput) return error;
		throw error;
	}
	throw new Error('It was taken');
}

test.each(REFUSED)('%s is refused', (_name, given, message) => {
	const { message: said, description, stack } = refuse(given);
	expect(said).toMatch(message);
	const text = typeof given === 'string' ? given.trim() : xprv;
	const shown = `${said} ${description} ${stack}`;
	for (let at = 0; at + 8 <= Math.min(text.length, 200); at++) {
		expect(shown).not.toContain(text.slice(at, at + 8));
	}
});

test('a public key is told from all else that is no private one', () => {
	expect(refuse(account.publicExtendedKey).description).toMatch(
		/^A public key shows the addresses/,
	);
	expect(refuse('').description).toBe('Open the credential and enter it again.');
});

test('nothing of the key stays where other code can read it', () => {
	/x/.test('x');
	open(xprv).derive(1);
	const left = RegExp as unknown as Readonly<Record<string, unknown>>;
	for (const name of ['input', 'lastMatch', 'leftContext', 'rightContext']) {
		expect(String(left[name])).not.toContain(xprv.slice(8, 20));
	}
	const opened = open(xprv);
	expect(JSON.stringify([opened, opened.derive(0)])).not.toMatch(/key|chainCode/i);
	expect(Object.values(opened)).toEqual([true, expect.any(Function)]);
});
