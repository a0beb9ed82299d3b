import { decodeBase58, decodeBase58Check } from '../values/base58';
import { InvalidSecret, trimText, type Parse } from '../values/parse';
import { raise } from '../errors/raise';
import { decompressPoint, type Point } from './secp256k1';

/** A public key from which further public keys are derived (BIP-32). */
export interface ExtendedKey {
	readonly point: Point;
	readonly chainCode: Buffer;
}

/** The public key of an account (BIP-44), or of the branch of its receiving addresses. */
export interface AccountKey extends ExtendedKey {
	/** The text of the key, as the user entered it. */
	readonly text: string;
	/** Whether the key belongs to the account itself. Its addresses are then derived in two steps instead of one. */
	readonly isAccount: boolean;
}

/** The highest index of an address that can be derived from a public key. */
export const MAX_INDEX = 2 ** 31 - 1;

/** Formats the derivation path from the key to the address with this index. */
export function formatPath({ isAccount }: Pick<AccountKey, 'isAccount'>, index: number): string {
	return isAccount ? `0/${index}` : String(index);
}

/** The length of an extended key in bytes, and the offsets of some of its parts. */
export const EXTENDED_KEY_BYTES = { whole: 78, depth: 4, chainCode: 13, key: 45 } as const;
const BYTES = EXTENDED_KEY_BYTES;
const CHECKSUM_BYTES = 4;
/**
 * The version numbers of the key types xpub and tpub. Bitcoin has more key types, but none of them derives addresses
 * of the supported chains.
 */
const PUBLIC_VERSIONS = [0x0488b21e, 0x043587cf];
export const ACCOUNT_DEPTH = 3;
export const CHAIN_DEPTH = 4;

const EXPECTED = 'an extended public key: xpub or tpub, and 107 letters and digits';

/**
 * Parses an extended public key. Private keys are refused first. No error quotes the refused text, since it may be a
 * private key.
 */
export const parseAccountKey: Parse<AccountKey> = (given) => {
	const text = trimText(given);
	if (mayBePrivate(text)) throw privateKeyError();
	const payload = text.length <= MAX_TEXT_CHARS ? decodeBase58Check(text) : undefined;
	if (!payload) throw new InvalidSecret(/^[xt]pub/.test(text) ? EXPECTED_CHECKSUM : EXPECTED);
	const isWhole = payload.length === BYTES.whole;
	if (!isWhole || !PUBLIC_VERSIONS.includes(payload.readUInt32BE())) throw versionError();
	const depth = payload.readUInt8(BYTES.depth);
	if (depth !== ACCOUNT_DEPTH && depth !== CHAIN_DEPTH) throw depthError(depth);
	const point = decompressPoint(payload.subarray(BYTES.key));
	return {
		text,
		isAccount: depth === ACCOUNT_DEPTH,
		chainCode: payload.subarray(BYTES.chainCode, BYTES.key),
		point: point ?? raise(new InvalidSecret(`${EXPECTED}, with a point that is on the curve`)),
	};
};

const EXPECTED_CHECKSUM = `${EXPECTED}, with a valid checksum: a character may be wrong`;

function versionError(): InvalidSecret {
	return new InvalidSecret(
		EXPECTED,
		'Keys of other versions, such as zpub, are those of wallets for other chains. Export the key of an account of EVM chains or TRON.',
	);
}

function depthError(depth: number): InvalidSecret {
	return new InvalidSecret(
		`the key of an account, which has depth ${ACCOUNT_DEPTH}, or of its receiving chain, which has depth ${CHAIN_DEPTH}; its depth is ${depth}`,
		"Export the public key of the account, such as that of m/44'/60'/0'.",
	);
}

/** No key is longer than this. Longer texts are refused before decoding, because decoding would take time. */
const MAX_TEXT_CHARS = 120;
/**
 * Patterns of private keys: a raw key, an importable key (WIF, BIP-38), or an extended key, alone or in a descriptor.
 */
const PRIVATE_PATTERNS = [
	/^(0x)?[0-9a-f]{64}$/i,
	/^[59KLc6][1-9A-HJ-NP-Za-km-z]{50,57}$/,
	/(^|[^a-z0-9])([a-z]prv|[a-z]{2}pv|drkv)[1-9a-z]{10}/i,
];
const MIN_MNEMONIC_WORDS = 12;

/** Whether a text looks like a private key of any kind or like a mnemonic, even with typing errors. */
function mayBePrivate(text: string): boolean {
	const words = text.split(/[\s,;.]+/, MIN_MNEMONIC_WORDS);
	if (words.length === MIN_MNEMONIC_WORDS) return true;
	if (PRIVATE_PATTERNS.some((pattern) => pattern.test(text))) return true;
	const bytes = text.length <= MAX_TEXT_CHARS ? decodeBase58(text) : undefined;
	// A private key has a zero in the position of a public key's sign byte. The version bytes are not checked, because they may be wrong.
	return bytes?.length === BYTES.whole + CHECKSUM_BYTES && bytes[BYTES.key] === 0;
}

function privateKeyError(): InvalidSecret {
	return new InvalidSecret(
		'an extended public key (xpub or tpub): a private key does not belong here',
		'Whoever has it can take what its addresses hold. If it was stored in the workflow, move the funds and use a new one.',
	);
}
