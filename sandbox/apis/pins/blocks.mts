import type { CID } from 'multiformats/cid';
import { IMPORT_OPTIONS } from './form.mts';

interface Block {
	cid: CID;
	bytes: Uint8Array;
}

/** The blocks of a file by their CIDs. The CIDs are text of version 1. */
type Blocks = Map<string, Block>;

const known = new WeakMap<Buffer, Promise<Blocks>>();

/** Splits a file into the blocks of its IPFS pin. */
export async function cutIntoBlocks(content: Buffer): Promise<Blocks> {
	const cutting = known.get(content) ?? importBlocks(content);
	known.set(content, cutting);
	return await cutting;
}

async function importBlocks(content: Buffer): Promise<Blocks> {
	const { importFile } = await import('ipfs-unixfs-importer');
	const blocks: Blocks = new Map();
	const put = (cid: CID, bytes: Uint8Array) => {
		blocks.set(cid.toV1().toString(), { cid, bytes });
		return cid;
	};
	await importFile({ content }, { put }, IMPORT_OPTIONS);
	return blocks;
}

/**
 * Encodes a CAR file of version 1. It has the block and all blocks below it in reading order; a block that occurs twice
 * is repeated.
 */
export async function encodeCar(root: Block, blocks: Blocks): Promise<Buffer> {
	const dagPb = await import('@ipld/dag-pb');
	const frames: Uint8Array[] = [];
	const add = ({ cid, bytes }: Block): void => {
		frames.push(Buffer.concat([cid.bytes, bytes]));
		if (cid.code !== dagPb.code) return;
		for (const { Hash } of dagPb.decode(bytes).Links) add(blocks.get(Hash.toV1().toString())!);
	};
	add(root);
	return Buffer.concat(
		[encodeHeader(root.cid.bytes), ...frames].flatMap((part) => [encodeLength(part), part]),
	);
}

/** Encodes the header `{ roots: [cid], version: 1 }` in DAG-CBOR. */
function encodeHeader(cid: Uint8Array): Buffer {
	const roots = Buffer.from([0xa2, 0x65, ...Buffer.from('roots'), 0x81, 0xd8, 0x2a, 0x58]);
	const version = Buffer.from([0x67, ...Buffer.from('version'), 1]);
	return Buffer.concat([roots, Buffer.from([cid.length + 1, 0]), cid, version]);
}

function encodeLength({ length }: Uint8Array): Buffer {
	const bytes: number[] = [];
	let rest = length;
	for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
	return Buffer.from([...bytes, rest]);
}
