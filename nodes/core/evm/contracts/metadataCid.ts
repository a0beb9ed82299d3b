import { decodeCid, isVerifiable, type Cid } from '../../ipfs/cid';

/** The length of the metadata is in the last two bytes of a contract's code. */
const LENGTH_BYTES = 2;
const MAP_KIND = 5;
const BYTES_KIND = 2;
const TEXT_KIND = 3;
const SIMPLE_KIND = 7;

interface Part {
	readonly kind: number;
	/** The content of a text or of a byte string. */
	readonly bytes: Buffer;
	readonly end: number;
}

/** Finds the CID of the metadata, which compilers put at the end of a contract's code. Only CIDs of IPFS are found. */
export function findMetadataCid(code: Buffer): Cid | undefined {
	const end = code.length - LENGTH_BYTES;
	if (end < 0) return undefined;
	const start = end - code.readUInt16BE(end);
	const found = start < 0 ? undefined : findEntry(code.subarray(start, end), 'ipfs');
	const decoded = found && decodeCid(found);
	return decoded?.end === found?.length && decoded && isVerifiable(decoded.cid)
		? decoded.cid
		: undefined;
}

/** Finds the bytes that a map in CBOR has for a key. The map must fill the whole content. */
function findEntry(content: Buffer, wanted: string): Buffer | undefined {
	const head = content[0] ?? 0;
	if (head >> 5 !== MAP_KIND) return undefined;
	let found: Buffer | undefined;
	let at = 1;
	for (let left = head & 0x1f; left > 0; left--) {
		const key = readPart(content, at);
		const value = key?.kind === TEXT_KIND ? readPart(content, key.end) : undefined;
		if (!key || !value) return undefined;
		if (key.bytes.toString() === wanted && value.kind === BYTES_KIND) found = value.bytes;
		at = value.end;
	}
	return at === content.length ? found : undefined;
}

/** Reads a text or byte string in CBOR. A length below 24 is in its first byte, and a longer length is in the second byte. */
function readPart(content: Buffer, at: number): Part | undefined {
	const head = content[at];
	if (head === undefined) return undefined;
	const kind = head >> 5;
	if (kind === SIMPLE_KIND) return { kind, bytes: Buffer.alloc(0), end: at + 1 };
	const isLong = (head & 0x1f) === 24;
	const start = at + (isLong ? 2 : 1);
	const length = isLong ? content[at + 1] : head & 0x1f;
	if (length === undefined || (!isLong && length > 23)) return undefined;
	const end = start + length;
	const isKnown = (kind === BYTES_KIND || kind === TEXT_KIND) && end <= content.length;
	return isKnown ? { kind, bytes: content.subarray(start, end), end } : undefined;
}
