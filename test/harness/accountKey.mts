import { HDKey } from '@scure/bip32';
import { HDNodeWallet } from 'ethers';

const SEED = Buffer.alloc(32, 0x42);
const owner = HDNodeWallet.fromSeed(SEED).derivePath("m/44'/60'/0'");
const account = owner.neuter();

/** The private key of the account that all deposit addresses are derived from. */
export const ACCOUNT_PRIVATE_KEY = owner.extendedKey;

/** The public key of the test account. Each order gets an address that is derived from it. */
export const ACCOUNT_KEY = account.extendedKey;

/** The public key of another account, which owns none of the addresses in tests. */
export const OTHER_ACCOUNT_KEY = HDNodeWallet.fromSeed(SEED)
	.derivePath("m/44'/60'/1'")
	.neuter().extendedKey;

/** The public key of the test account with the version prefix of a test network. */
export const TEST_ACCOUNT_KEY = HDKey.fromMasterSeed(SEED, {
	private: 0x04358394,
	public: 0x043587cf,
}).derive("m/44'/60'/0'").publicExtendedKey;

/** Returns the deposit address with the given index in lower case. ethers derives it, independently of the nodes. */
export function deposit(index: number): `0x${string}` {
	return account.derivePath(`0/${index}`).address.toLowerCase() as `0x${string}`;
}

/** Builds the parameters of a trigger that watches the first addresses of the account key. */
export const watchingKey = (addressCount = 10) => ({
	watch: 'accountKey',
	accountKey: ACCOUNT_KEY,
	addressCount,
});
