import { HDKey } from '@scure/bip32';
import { computeAddress, hexlify, HDNodeWallet, type HDNodeVoidWallet } from 'ethers';
import { TronWeb } from 'tronweb';
import { formatPath, parseAccountKey } from '../../../nodes/core/accountKey/accountKey';
import { openAccountKey } from '../../../nodes/core/accountKey/derive';
import { formatWitnessAddresses } from '../../../nodes/core/witness/address';
import { checksumAddress } from '../../../nodes/core/evm/address';
import { getCaseCount } from '../../harness/caseCount.mts';
import { createRandom } from '../../harness/random.mts';

/** These tests compare the addresses of an extended public key with those that other libraries derive. */

const HIGHEST = 2 ** 31 - 1;
const WORDS = 'test test test test test test test test test test test junk';

const random = createRandom(20261128);
const drawSeed = () => Buffer.from(random.bytes(32).slice(2), 'hex');

async function deriveAddresses(text: string, indexes: readonly number[]): Promise<string[]> {
	const derive = await openAccountKey(parseAccountKey(text));
	return derive(indexes).map((account) => checksumAddress(`0x${account}`));
}

test.each([
	["m/44'/60'/0'", '0/'],
	["m/44'/195'/7'", '0/'],
	["m/44'/60'/0'/0", ''],
])('below the key of %s, ethers finds the same addresses on its own path', async (path, below) => {
	const wallet = HDNodeWallet.fromSeed(drawSeed()).derivePath(path).neuter();
	const key = parseAccountKey(wallet.extendedKey);
	const indexes = [0, 1, 255, 256, 65_536, HIGHEST];
	const expected = indexes.map((index) => wallet.derivePath(`${below}${index}`).address);
	expect(await deriveAddresses(wallet.extendedKey, indexes)).toEqual(expected);
	expect(formatPath(key, 7)).toBe(`${below}7`);
});

test('the words that every tool is tested with have the addresses that every tool shows', async () => {
	const account = HDNodeWallet.fromPhrase(WORDS, undefined, "m/44'/60'/0'").neuter();
	expect(await deriveAddresses(account.extendedKey, [0, 1])).toEqual([
		'0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
		'0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
	]);
});

test('on the witness chain, tronweb has the same accounts', async () => {
	const account = HDNodeWallet.fromPhrase(WORDS, undefined, "m/44'/195'/0'").neuter();
	const derive = await openAccountKey(parseAccountKey(account.extendedKey));
	const addresses = derive([0, 3]).map((one) => formatWitnessAddresses(one ?? '').base58);
	const expected = [0, 3].map((index) => {
		const path = `m/44'/195'/0'/0/${index}`;
		return TronWeb.fromMnemonic(WORDS, path).address;
	});
	expect(addresses).toEqual(expected);
});

test('the official vector of BIP-32 for a public key of depth 4 holds', async () => {
	const [parent, child] = [
		'xpub6FHa3pjLCk84BayeJxFW2SP4XRrFd1JYnxeLeU8EqN3vDfZmbqBqaGJAyiLjTAwm6ZLRQUMv1ZACTj37sR62cfN7fe5JnJ7dh8zL4fiyLHV',
		'xpub6H1LXWLaKsWFhvm6RVpEL9P4KfRZSW7abD2ttkWP3SSQvnyA8FSVqNTEcYFgJS2UaFcxupHiYkro49S8yGasTvXEYBVPamhGW6cFJodrTHy',
	];
	const { publicKey } = HDKey.fromExtendedKey(child);
	const expected = computeAddress(hexlify(publicKey ?? new Uint8Array()));
	expect(await deriveAddresses(parent, [1_000_000_000])).toEqual([expected]);
});

test('of any key, any index has the address that other libraries derive', async () => {
	const perKey = 20;
	for (let left = getCaseCount(2000); left > 0; left -= perKey) {
		const account = HDKey.fromMasterSeed(drawSeed()).derive(`m/44'/60'/${random.upTo(HIGHEST)}'`);
		const key = account.publicExtendedKey;
		const indexes = Array.from({ length: perKey }, () => random.upTo(HIGHEST));
		const wallet = HDNodeWallet.fromExtendedKey(key) as HDNodeVoidWallet;
		const chain = wallet.deriveChild(0);
		const expected = indexes.map((index) => chain.deriveChild(index).address);
		expect(await deriveAddresses(key, indexes)).toEqual(expected);
	}
});
