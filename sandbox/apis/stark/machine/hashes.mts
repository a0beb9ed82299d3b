import { createHash } from 'node:crypto';
import {
	CURVE,
	getStarkKey,
	keccak,
	pedersen,
	poseidonHashMany,
	Signature,
	sign,
	verify,
} from '@scure/starknet';
import { ADDRESS_BOUND, encodeShortString, PRIME, toHex } from './felts.mts';
import type { Bound, Invoke } from './transaction.mts';

const selectors = new Map<string, bigint>();

/** Computes the selector of a name, which is the last 250 bits of its keccak hash. */
export function getSelector(name: string): bigint {
	const known = selectors.get(name);
	if (known !== undefined) return known;
	const found = keccak(Buffer.from(name));
	selectors.set(name, found);
	return found;
}

/** Invents a felt from a value. The same value always gives the same felt. */
export const inventFelt = (value: unknown): bigint =>
	BigInt(`0x${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`) % PRIME;

const hashPoseidon = (felts: readonly bigint[]) => poseidonHashMany([...felts]);

/**
 * Computes the Pedersen hash of a list of felts. The chain of hashes begins with 0 and ends with the number of felts.
 */
const hashPedersen = (felts: readonly bigint[]) =>
	[...felts, BigInt(felts.length)].reduce((hash, felt) => BigInt(pedersen(hash, felt)), 0n);

/** Computes the address of an account from the values of its deployment. */
export const getAccountAddress = (salt: bigint, classHash: bigint, calldata: readonly bigint[]) =>
	hashPedersen([
		encodeShortString('STARKNET_CONTRACT_ADDRESS'),
		0n,
		salt,
		classHash,
		hashPedersen(calldata),
	]) % ADDRESS_BOUND;

/** Computes the hash that the sender of a transaction signs. The id of the chain is a part of it. */
export function hashInvoke(transaction: Invoke, chainId: bigint): bigint {
	const { version, sender, calldata, nonce } = transaction;
	const start = [encodeShortString('invoke'), version, sender];
	const bounds = transaction.bounds;
	if (!bounds) {
		return hashPedersen([...start, 0n, hashPedersen(calldata), transaction.maxFee, chainId, nonce]);
	}
	const packed = [packBound('L1_GAS', bounds.l1), packBound('L2_GAS', bounds.l2)];
	const data = bounds.l1Data ? [packBound('L1_DATA', bounds.l1Data)] : [];
	const { proofFacts } = transaction;
	return hashPoseidon([
		...start,
		hashPoseidon([transaction.tip, ...packed, ...data]),
		hashPoseidon(transaction.paymasterData),
		chainId,
		nonce,
		(transaction.nonceMode << 32n) + transaction.feeMode,
		hashPoseidon(transaction.deploymentData),
		hashPoseidon(calldata),
		...(proofFacts.length > 0 ? [hashPoseidon(proofFacts)] : []),
	]);
}

const packBound = (name: string, { amount, price }: Bound) =>
	(encodeShortString(name) << 192n) + (amount << 128n) + price;

const CURVE_ORDER = CURVE.n;

/** Invents a private key from a name. The same name always gives the same key. */
export const inventPrivateKey = (name: string) => (inventFelt(name) % (CURVE_ORDER - 1n)) + 1n;

export const getPublicKey = (privateKey: bigint) => BigInt(getStarkKey(toHex(privateKey)));

/** Checks a signature by a public key. The chain knows only the x of the key, so both points with this x are tried. */
export function isSignatureOf(
	publicKey: bigint,
	messageHash: bigint,
	signature: readonly bigint[],
) {
	const [r = 0n, s = 0n] = signature;
	if (signature.length !== 2 || r <= 0n || s <= 0n || r >= CURVE_ORDER || s >= CURVE_ORDER) {
		return false;
	}
	const signed = new Signature(r, s);
	const message = messageHash.toString(16).padStart(64, '0');
	const x = publicKey.toString(16).padStart(64, '0');
	return ['02', '03'].some((sign) => isPointOf(signed, message, sign + x));
}

function isPointOf(signed: InstanceType<typeof Signature>, message: string, key: string): boolean {
	try {
		return verify(signed, message, key);
	} catch {
		return false;
	}
}

export function signHash(messageHash: bigint, privateKey: bigint): bigint[] {
	const { r, s } = sign(toHex(messageHash), toHex(privateKey));
	return [r, s];
}
