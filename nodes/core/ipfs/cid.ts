import { createHash } from 'crypto';
import { decodeBase58, encodeBase58 } from '../values/base58';
import { RequestFailure } from '../errors/requestFailure';
import { decodeVarint, encodeVarint } from './protobuf';

/** A CID, the address of a block: the hash of its bytes, and the codec that says how to decode them. */
export interface Cid {
	readonly version: 0 | 1;
	readonly codec: number;
	readonly hashCode: number;
	readonly digest: Buffer;
}

export const RAW_CODEC = 0x55;
export const DAG_PB_CODEC = 0x70;

export const SHA_256_CODE = 0x12;
const SHA_512_CODE = 0x13;
const IDENTITY_CODE = 0x00;

const HASHES = new Map([
	[SHA_256_CODE, { algorithm: 'sha256', bytes: 32 }],
	[SHA_512_CODE, { algorithm: 'sha512', bytes: 64 }],
]);

/** No hash in use is longer. The limit also leaves room for the content of short identity CIDs. */
const MAX_DIGEST_BYTES = 128;
const MAX_CID_CHARS = 300;

/** Decodes the CID at the beginning of the bytes, and returns the position after it. */
export function decodeCid(bytes: Buffer): { readonly cid: Cid; readonly end: number } | undefined {
	// A CID of version 0 is only a SHA-256 multihash.
	if (bytes[0] === SHA_256_CODE && bytes[1] === 32)
		return decodeMultihash(bytes, 0, 0, DAG_PB_CODEC);
	const codec = bytes[0] === 1 ? decodeVarint(bytes, 1) : undefined;
	return codec && decodeMultihash(bytes, codec.end, 1, codec.value);
}

function decodeMultihash(bytes: Buffer, start: number, version: 0 | 1, codec: number) {
	const code = decodeVarint(bytes, start);
	const length = code && decodeVarint(bytes, code.end);
	if (!length || length.value > MAX_DIGEST_BYTES) return undefined;
	const end = length.end + length.value;
	if (end > bytes.length) return undefined;
	const digest = bytes.subarray(length.end, end);
	return { cid: { version, codec, hashCode: code.value, digest }, end };
}

export function encodeCid({ version, codec, hashCode, digest }: Cid): Buffer {
	const head = version === 0 ? [] : [encodeVarint(1), encodeVarint(codec)];
	return Buffer.concat([...head, encodeVarint(hashCode), encodeVarint(digest.length), digest]);
}

/** Parses a CID in base32, base58 or hex; returns undefined for any other text. */
export function parseCid(text: string): Cid | undefined {
	if (text.length > MAX_CID_CHARS) return undefined;
	const bytes = decodeMultibase(text);
	const decoded = bytes && decodeCid(bytes);
	// A CID of version 0 is always base58 without a prefix.
	const isOfVersion = decoded && (decoded.cid.version === 0) === text.startsWith('Qm');
	return isOfVersion && decoded.end === bytes.length ? decoded.cid : undefined;
}

function decodeMultibase(text: string): Buffer | undefined {
	const digits = text.slice(1);
	if (text.startsWith('Qm')) return decodeBase58(text);
	if (text.startsWith('z')) return decodeBase58(digits);
	if (/^b[a-z2-7]+$/.test(text)) return decodeBase32(digits);
	if (/^B[A-Z2-7]+$/.test(text)) return decodeBase32(digits.toLowerCase());
	return /^f([\da-f]{2})+$/i.test(text) ? Buffer.from(digits, 'hex') : undefined;
}

export function formatCid(cid: Cid): string {
	const bytes = encodeCid(cid);
	return cid.version === 0 ? encodeBase58(bytes) : `b${encodeBase32(bytes)}`;
}

const BASE32_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';

/** Decodes base32. Unused bits at the end must be zero, so that each CID has only one text in base32. */
function decodeBase32(text: string): Buffer | undefined {
	const bytes: number[] = [];
	let bits = 0;
	let held = 0;
	for (const digit of text) {
		bits = (bits << 5) | BASE32_ALPHABET.indexOf(digit);
		held += 5;
		if (held < 8) continue;
		held -= 8;
		bytes.push(bits >> held);
		bits &= (1 << held) - 1;
	}
	return bits === 0 && held < 5 ? Buffer.from(bytes) : undefined;
}

function encodeBase32(bytes: Uint8Array): string {
	let text = '';
	let bits = 0;
	let held = 0;
	for (const byte of bytes) {
		bits = (bits << 8) | byte;
		for (held += 8; held >= 5; bits &= (1 << held) - 1) {
			held -= 5;
			text += BASE32_ALPHABET.charAt(bits >> held);
		}
	}
	return held === 0 ? text : text + BASE32_ALPHABET.charAt(bits << (5 - held));
}

/** Returns the content of an identity CID, which contains the bytes themselves in place of a hash. */
export function getInlineBytes({ hashCode, digest }: Cid): Buffer | undefined {
	return hashCode === IDENTITY_CODE ? digest : undefined;
}

/** Whether bytes can be checked against the CID. Only SHA-256, SHA-512 and identity are supported. */
export function isVerifiable({ hashCode, digest }: Cid): boolean {
	return hashCode === IDENTITY_CODE || HASHES.get(hashCode)?.bytes === digest.length;
}

export function throwIfUnverifiable(cid: Cid): void {
	if (isVerifiable(cid)) return;
	const code = cid.hashCode.toString(16);
	throw new RequestFailure(
		`The CID has a hash of a kind that is not supported: its code is 0x${code}`,
		{
			description: 'SHA-256 and SHA-512 are supported.',
		},
	);
}

/** Whether the bytes have the hash in the CID; false if the hash function is not supported. */
export function isHashOf({ hashCode, digest }: Cid, bytes: Uint8Array): boolean {
	if (hashCode === IDENTITY_CODE) return digest.equals(bytes);
	const hash = HASHES.get(hashCode);
	return hash ? createHash(hash.algorithm).update(bytes).digest().equals(digest) : false;
}

/** Identifies a block by its hash alone, because CIDs of different versions and codecs can mean the same block. */
export function getBlockKey({ hashCode, digest }: Cid): string {
	return `${hashCode} ${digest.toString('base64')}`;
}
