import { createECDH, createHmac } from 'crypto';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	ACCOUNT_DEPTH,
	CHAIN_DEPTH,
	decodeBase58Check,
	EXTENDED_KEY_BYTES,
	getText,
	InvalidInput,
	SECP256K1_ORDER,
} from '../../../nodes/core';
import type { Key, KeyLibrary } from './library';

/** The private key of an account or of its receiving chain (BIP-32). The keys of its addresses are derived from it. */
export interface DepositKey {
	/** Whether this is the key of the account, whose addresses are two steps below it. */
	readonly isAccount: boolean;
	/** Derives the key of an address. Returns undefined for the rare index (1 in 2^127) that has no key. */
	derive(index: number): Key | undefined;
}

/** A private key, with the data from which its children are derived. */
interface ExtendedPrivateKey {
	readonly key: Uint8Array;
	readonly chainCode: Uint8Array;
}

const BYTES = EXTENDED_KEY_BYTES;
const KEY_BYTES = 32;
/** The version numbers at the start of private keys: xprv and tprv. */
const PRIVATE_VERSIONS = [0x0488ade4, 0x04358394];
const PUBLIC_VERSIONS = [0x0488b21e, 0x043587cf];
/** Longer texts are not keys, and decoding them would take time. */
const MAX_TEXT_CHARS = 120;
/** The index of the account's child key from which the keys of its receiving addresses are derived (BIP-44). */
const RECEIVING_CHAIN = 0;

/** Parses the key of a credential. No error contains what was typed, or tells how close to a key it is. */
export function parseDepositKey(
	library: KeyLibrary,
	{ accountPrivateKey }: ICredentialDataDecryptedObject,
): DepositKey {
	const { isAccount, ...given } = parseExtendedKey(getText(accountPrivateKey).trim());
	const parent = isAccount ? deriveChild(given, RECEIVING_CHAIN) : given;
	if (!parent || !library.createKey(given.key))
		throw keyError(EXPECTED, 'These 32 bytes are no key.');
	return {
		isAccount,
		derive: (index) => {
			const child = deriveChild(parent, index);
			return child && library.createKey(child.key);
		},
	};
}

const EXPECTED = 'an extended private key: xprv or tprv, and 107 letters and digits';

/** Parses the text of a key. Copies the key into memory of its own and clears the buffers, because they lie in shared memory. */
function parseExtendedKey(text: string): ExtendedPrivateKey & Pick<DepositKey, 'isAccount'> {
	const payload = text.length <= MAX_TEXT_CHARS ? decodeBase58Check(text) : undefined;
	if (!payload) throw keyError(`${EXPECTED}, with a valid checksum`, RETRY_ADVICE);
	try {
		const version = payload.length === BYTES.whole ? payload.readUInt32BE() : undefined;
		if (PUBLIC_VERSIONS.includes(version ?? 0)) throw keyError(EXPECTED, PUBLIC_ADVICE);
		const isPrivate = PRIVATE_VERSIONS.includes(version ?? 0) && payload[BYTES.key] === 0;
		if (!isPrivate) throw keyError(EXPECTED, RETRY_ADVICE);
		const depth = payload.readUInt8(BYTES.depth);
		if (depth !== ACCOUNT_DEPTH && depth !== CHAIN_DEPTH) throw depthError(depth);
		return {
			isAccount: depth === ACCOUNT_DEPTH,
			chainCode: Uint8Array.from(payload.subarray(BYTES.chainCode, BYTES.key)),
			key: Uint8Array.from(payload.subarray(BYTES.key + 1)),
		};
	} finally {
		payload.fill(0);
	}
}

/** Derives the private key with this index below another key (BIP-32). Returns undefined if the index has none. */
function deriveChild(
	{ key, chainCode }: ExtendedPrivateKey,
	index: number,
): ExtendedPrivateKey | undefined {
	const point = compressPublicKey(key);
	if (!point) return undefined;
	const place = Buffer.alloc(4);
	place.writeUInt32BE(index);
	const hash = createHmac('sha512', chainCode).update(point).update(place).digest();
	const added = toNumber(hash.subarray(0, KEY_BYTES));
	const number = (added + toNumber(key)) % SECP256K1_ORDER;
	const isKey = added < SECP256K1_ORDER && number !== 0n;
	return isKey
		? { key: toBytes(number), chainCode: Uint8Array.from(hash.subarray(KEY_BYTES)) }
		: undefined;
}

/** Returns undefined for bytes that are not a private key of the curve. */
function compressPublicKey(key: Uint8Array): Buffer | undefined {
	const curve = createECDH('secp256k1');
	try {
		curve.setPrivateKey(key);
		return curve.getPublicKey(null, 'compressed');
	} catch {
		return undefined;
	}
}

function toNumber(bytes: Uint8Array): bigint {
	return bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
}

function toBytes(number: bigint): Uint8Array {
	const bytes = new Uint8Array(KEY_BYTES);
	let rest = number;
	for (let at = KEY_BYTES - 1; at >= 0; at--) {
		bytes[at] = Number(rest % 256n);
		rest /= 256n;
	}
	return bytes;
}

const RETRY_ADVICE = 'Open the credential and enter it again.';
const PUBLIC_ADVICE =
	'A public key shows the addresses and signs nothing. Export the private one of the same account.';

function keyError(expected: string, advice: string): InvalidInput {
	return new InvalidInput(`The Account Private Key of the credential must be ${expected}`, advice);
}

function depthError(depth: number): InvalidInput {
	return keyError(
		`that of an account, which has depth ${ACCOUNT_DEPTH}, or of its receiving chain, which has depth ${CHAIN_DEPTH}; its depth is ${depth}`,
		"Export the private key of the account, such as that of m/44'/60'/0'.",
	);
}
