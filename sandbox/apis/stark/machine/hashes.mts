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

/** The selector of a name: 250 bits of its keccak. */
export function getSelector(name: string): bigint {
	const known = selectors.get(name);
	if (known !== undefined) return known;
	const found = keccak(Buffer.from(name));
	selectors.set(name, found);
	return found;
}

/** A felt made from a value; it is the same for the same value. */
export const inventFelt = (value: unknown): bigint =>
	BigInt(`0x${createHash('sha256').update(JSON.stringify(value)).digest('hex')}`) % PRIME;

const hashPoseidon = (felts: readonly bigint[]) => poseidonHashMany([...felts]);

/** A chain of hashes that begins with 0 and ends with how many felts there are. */
const hashPedersen = (felts: readonly bigint[]) =>
	[...felts, BigInt(felts.length)].reduce((hash, felt) => BigInt(pedersen(hash, felt)), 0n);

/** The address that an account with these values has. */
export const getAccountAddress = (salt: bigint, classHash: bigint, calldata: readonly bigint[]) =>
	hashPedersen([
		encodeShortString('STARKNET_CONTRACT_ADDRESS'),
		0n,
		salt,
		classHash,
		hashPedersen(calldata),
	]) % ADDRESS_BOUND;

/** The hash that the signature of a transaction is over. The chain's id is in it, and nowhere else. */
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

/** A private key that is the same for the same name. */
export const inventPrivateKey = (name: string) => (inventFelt(name) % (CURVE_ORDER - 1n)) + 1n;

export const getPublicKey = (privateKey: bigint) => BigInt(getStarkKey(toHex(privateKey)));

/** The chain knows only the x of a public key, so the signature may belong to either point with this x. */
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
