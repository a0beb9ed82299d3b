import { RequestFailure } from '../errors/requestFailure';
import { formatExcerpt, formatNames } from '../values/excerpt';
import type { BlockReader } from './blocks';
import { throwIfUnverifiable, type Cid } from './cid';
import { findPlaces } from './shards';
import { decodeBlock, malformedBlockError, type UnixfsNode } from './unixfs';

/** Trees with more levels are refused. With 174 links in a block, five levels hold 1 TB. */
const MAX_FILE_DEPTH = 16;
const MAX_FILE_LINKS = 16_384;

/** A file that was found, with its first block already read. */
interface FoundFile {
	readonly size: number;
	read(): AsyncGenerator<Buffer>;
}

/** Follows the path from the CID to a file. Each block is checked against the link that leads to it. */
export async function findFile(
	blocks: BlockReader,
	root: Cid,
	path: readonly string[],
): Promise<FoundFile> {
	let node = await readNode(blocks, root);
	for (const name of path) node = await readNode(blocks, await findEntry(blocks, node, name));
	if (node.kind !== 'file') throw noFileError(node);
	return { size: node.fileSize, read: () => readParts(blocks, node, MAX_FILE_DEPTH) };
}

async function readNode(blocks: BlockReader, cid: Cid): Promise<UnixfsNode> {
	throwIfUnverifiable(cid);
	return decodeBlock(cid, await blocks.read(cid));
}

function noFileError(node: UnixfsNode): RequestFailure {
	if (node.kind === 'symlink')
		return new RequestFailure('The address leads to a symbolic link, which is not followed', {
			description: 'Enter the address of the target of the link.',
		});
	// Names in a shard begin with their position, so they are not shown to people.
	const links = node.kind === 'directory' ? node.links : [];
	const names = formatNames(links.map(({ name }) => formatExcerpt(name)));
	return new RequestFailure('The address leads to a directory', {
		description: `Add the path of a file to the CID.${names && ` It has ${names}.`}`,
	});
}

async function findEntry(blocks: BlockReader, node: UnixfsNode, name: string): Promise<Cid> {
	const found =
		node.kind === 'shard'
			? await findInShards(blocks, node, name)
			: node.kind === 'directory' && node.links.find((link) => link.name === name)?.cid;
	if (found) return found;
	throw new RequestFailure(
		`The path is wrong: it leads to no file or folder ${formatExcerpt(name)}`,
	);
}

/** The code of MurmurHash3, the only hash function for shards in use. */
const SHARD_HASH_TYPE = 0x22;
const FANOUTS = [8, 16, 32, 64, 128, 256, 512, 1024];

/**
 * Finds an entry in a directory of shards. The name of a link is its position in hex. If the link leads to an entry and
 * not to another shard, the entry's name follows.
 */
async function findInShards(
	blocks: BlockReader,
	root: UnixfsNode,
	name: string,
): Promise<Cid | undefined> {
	const { fanout, hashType } = root;
	if (hashType !== SHARD_HASH_TYPE || !FANOUTS.includes(fanout)) throw malformedBlockError();
	const digits = (fanout - 1).toString(16).length;
	let shard = root;
	for (const place of findPlaces(name, fanout)) {
		const prefix = place.toString(16).toUpperCase().padStart(digits, '0');
		const entry = shard.links.find((link) => link.name === prefix + name);
		if (entry) return entry.cid;
		const below = shard.links.find((link) => link.name === prefix);
		if (!below) return undefined;
		shard = await readNode(blocks, below.cid);
		if (shard.kind !== 'shard' || shard.fanout !== fanout) throw malformedBlockError();
	}
	return undefined;
}

/**
 * Yields the bytes of a file in order. Each part must have at least one byte and the size that the block above
 * states, so that a small file cannot have endless parts.
 */
async function* readParts(
	blocks: BlockReader,
	node: UnixfsNode,
	depth: number,
): AsyncGenerator<Buffer> {
	if (depth === 0 || node.links.length > MAX_FILE_LINKS) throw malformedBlockError();
	if (node.data.length > 0) yield node.data;
	for (const [index, { cid }] of node.links.entries()) {
		const part = await readNode(blocks, cid);
		const isPart = part.kind === 'file' && part.fileSize === node.blockSizes[index];
		if (!isPart || part.fileSize === 0) throw malformedBlockError();
		yield* readParts(blocks, part, depth - 1);
	}
}
