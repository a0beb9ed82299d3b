import { RequestFailure } from '../errors/requestFailure';
import { DAG_PB_CODEC, decodeCid, encodeCid, RAW_CODEC, type Cid } from './cid';
import {
	decodeProtobuf,
	decodeVarint,
	encodeBytesField,
	encodeBytesHead,
	encodeNumberField,
	type ProtobufField,
} from './protobuf';
import { raise } from '../errors/raise';

/** A decoded block: a file or a part of it, a directory, a part of a large directory (`shard`), or a symbolic link. */
export interface UnixfsNode {
	readonly kind: 'file' | 'directory' | 'shard' | 'symlink';
	readonly links: readonly UnixfsLink[];
	readonly data: Buffer;
	/** How many bytes of the file are below each link. */
	readonly blockSizes: readonly number[];
	/** The number of bytes of the file in the block and below it. */
	readonly fileSize: number;
	/** How many links a shard can have at most. */
	readonly fanout: number;
	readonly hashType: number;
}

interface UnixfsLink {
	readonly cid: Cid;
	readonly name: string;
}

const NODE_DATA = 1;
const NODE_LINK = 2;
const LINK_HASH = 1;
const LINK_NAME = 2;
const LINK_SIZE = 3;
const TYPE = 1;
const CONTENT = 2;
const FILE_SIZE = 3;
const BLOCK_SIZE = 4;
const HASH_TYPE = 5;
const FANOUT = 6;

const FILE_TYPE = 2;

const KINDS = new Map<number, UnixfsNode['kind']>([
	[0, 'file'],
	[1, 'directory'],
	[FILE_TYPE, 'file'],
	[4, 'symlink'],
	[5, 'shard'],
]);

/**
 * Decodes a block by the codec of its CID. The bytes match the CID, but anyone may have written them, so they may be
 * malformed.
 */
export function decodeBlock({ codec }: Cid, bytes: Buffer): UnixfsNode {
	if (codec === RAW_CODEC) return buildRawNode(bytes);
	if (codec === DAG_PB_CODEC) return decodeNode(bytes) ?? raise(malformedBlockError());
	throw new RequestFailure(
		`The address leads to no file: the type of its data (codec) is 0x${codec.toString(16)}`,
		{
			description: 'Files and directories have the codec dag-pb or raw.',
		},
	);
}

export function malformedBlockError(): RequestFailure {
	return new RequestFailure(
		'The file or directory in IPFS is broken: a block (a piece of its data) has no valid form',
		{
			description:
				'Every gateway gives the same data. Check the CID, or ask its publisher for another CID.',
		},
	);
}

function buildRawNode(data: Buffer): UnixfsNode {
	return {
		kind: 'file',
		links: [],
		data,
		blockSizes: [],
		fileSize: data.length,
		fanout: 0,
		hashType: 0,
	};
}

function decodeNode(bytes: Buffer): UnixfsNode | undefined {
	const fields = decodeProtobuf(bytes);
	const links = fields && getAllBytes(fields, NODE_LINK).map(decodeLink);
	const data = fields && getBytes(fields, NODE_DATA);
	const about = data && decodeProtobuf(data);
	if (!about || !links?.every((link) => link !== undefined)) return undefined;
	const kind = KINDS.get(getNumber(about, TYPE) ?? -1);
	const blockSizes = decodeBlockSizes(about);
	if (!kind || !blockSizes) return undefined;
	const content = getBytes(about, CONTENT) ?? Buffer.alloc(0);
	const sum = blockSizes.reduce((total, size) => total + size, content.length);
	const fileSize = getNumber(about, FILE_SIZE) ?? sum;
	const isWhole = kind !== 'file' || (blockSizes.length === links.length && fileSize === sum);
	if (!isWhole) return undefined;
	return {
		kind,
		links,
		data: content,
		blockSizes,
		fileSize,
		fanout: getNumber(about, FANOUT) ?? 0,
		hashType: getNumber(about, HASH_TYPE) ?? 0,
	};
}

function decodeLink(bytes: Buffer): UnixfsLink | undefined {
	const fields = decodeProtobuf(bytes);
	const hash = fields && getBytes(fields, LINK_HASH);
	const decoded = hash && decodeCid(hash);
	if (!decoded || decoded.end !== hash.length) return undefined;
	return { cid: decoded.cid, name: getBytes(fields, LINK_NAME)?.toString() ?? '' };
}

/** Decodes the field with the sizes of parts. Protobuf also allows all numbers in a single field. */
function decodeBlockSizes(fields: readonly ProtobufField[]): number[] | undefined {
	const sizes: number[] = [];
	for (const { number, value } of fields) {
		if (number !== BLOCK_SIZE) continue;
		if (typeof value === 'number') {
			sizes.push(value);
			continue;
		}
		for (let at = 0; at < value.length; ) {
			const size = decodeVarint(value, at);
			if (!size) return undefined;
			sizes.push(size.value);
			at = size.end;
		}
	}
	return sizes;
}

const getAllBytes = (fields: readonly ProtobufField[], wanted: number): Buffer[] =>
	fields.flatMap(({ number, value }) =>
		number === wanted && typeof value !== 'number' ? [value] : [],
	);

const getBytes = (fields: readonly ProtobufField[], wanted: number): Buffer | undefined =>
	getAllBytes(fields, wanted).at(-1);

function getNumber(fields: readonly ProtobufField[], wanted: number): number | undefined {
	const values = fields.flatMap(({ number, value }) =>
		number === wanted && typeof value === 'number' ? [value] : [],
	);
	return values.at(-1);
}

/** Encodes the bytes before and after a chunk that is stored as a block of its own. */
export function encodeLeafFrame(chunkBytes: number): readonly [head: Buffer, tail: Buffer] {
	const type = encodeNumberField(TYPE, FILE_TYPE);
	// An empty file has no field for its content.
	const contentHead = chunkBytes === 0 ? Buffer.alloc(0) : encodeBytesHead(CONTENT, chunkBytes);
	const tail = encodeNumberField(FILE_SIZE, chunkBytes);
	const length = type.length + contentHead.length + chunkBytes + tail.length;
	return [Buffer.concat([encodeBytesHead(NODE_DATA, length), type, contentHead]), tail];
}

/** A part of a file, with the block at the top of its tree. */
export interface FilePart {
	readonly cid: Cid;
	/** The number of bytes of the file in the part. */
	readonly fileSize: number;
	/** The size of the block and of all blocks below it. */
	readonly treeSize: number;
}

/** Encodes the block that links to the parts of a file. */
export function encodeFileNode(parts: readonly FilePart[]): Buffer {
	const links = parts.map(({ cid, treeSize }) =>
		encodeBytesField(
			NODE_LINK,
			encodeBytesField(LINK_HASH, encodeCid(cid)),
			encodeBytesField(LINK_NAME),
			encodeNumberField(LINK_SIZE, treeSize),
		),
	);
	const about = Buffer.concat([
		encodeNumberField(TYPE, FILE_TYPE),
		encodeNumberField(FILE_SIZE, sumFileSizes(parts)),
		...parts.map(({ fileSize }) => encodeNumberField(BLOCK_SIZE, fileSize)),
	]);
	return Buffer.concat([...links, encodeBytesField(NODE_DATA, about)]);
}

export function sumFileSizes(parts: readonly FilePart[]): number {
	return parts.reduce((sum, { fileSize }) => sum + fileSize, 0);
}
