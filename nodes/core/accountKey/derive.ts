import { createHmac } from 'crypto';
import { keccak256 } from '../values/keccak';
import type { AccountKey, ExtendedKey } from './accountKey';
import { getMultiples, listSummands, type Multiples } from './multiples';
import { compressPoint, encodePoint, ORDER, sumEach, type Point } from './secp256k1';

/** How many addresses are derived before n8n can do other work. Deriving them takes some milliseconds. */
export const ADDRESSES_PER_SLICE = 64;

const NUMBER_BYTES = 32;
const ACCOUNT_BYTES = 20;

/** The branch of an account on which it receives payments (BIP-44). */
const RECEIVING_CHAIN = 0;

/** Derives the accounts with these indexes, as 40 hex digits. The result is undefined for one in 2^127 indexes. */
export type DeriveAccounts = (indexes: readonly number[]) => ReadonlyArray<string | undefined>;

/** Makes a function that derives addresses of an account key. Its callers should request only a few addresses at a time. */
export async function openAccountKey(key: AccountKey): Promise<DeriveAccounts> {
	const multiples = await getMultiples();
	const [chain] = key.isAccount ? deriveKeys(key, [RECEIVING_CHAIN], multiples) : [key];
	return (indexes) => {
		if (!chain) return indexes.map(() => undefined);
		return deriveKeys(chain, indexes, multiples).map((child) => child && formatAccount(child));
	};
}

/** Derives public keys from a parent key, one for each index (BIP-32). */
function deriveKeys(
	{ point, chainCode }: ExtendedKey,
	indexes: readonly number[],
	multiples: Multiples,
): Array<ExtendedKey | undefined> {
	const parent = compressPoint(point);
	const hashes = indexes.map((index) => {
		const place = Buffer.alloc(4);
		place.writeUInt32BE(index);
		return createHmac('sha512', chainCode).update(parent).update(place).digest();
	});
	const numbers = hashes.map((hash) => hash.subarray(0, NUMBER_BYTES));
	const points = sumEach(numbers.map((number) => [point, ...listSummands(multiples, number)]));
	return points.map((child, at) => {
		const [number, hash] = [numbers[at], hashes[at]];
		if (!child || !number || !hash || !isBelowOrder(number)) return undefined;
		return { point: child, chainCode: hash.subarray(NUMBER_BYTES) };
	});
}

function isBelowOrder(number: Buffer): boolean {
	return BigInt(`0x${number.toString('hex')}`) < ORDER;
}

function formatAccount({ point }: { readonly point: Point }): string {
	return keccak256(encodePoint(point)).toString('hex', NUMBER_BYTES - ACCOUNT_BYTES);
}
