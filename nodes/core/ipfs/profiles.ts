import { createHash, type Hash } from 'crypto';
import type { FileContent } from '../net/http/multipart';
import { wait } from '../net/pacing/stop';
import { DAG_PB_CODEC, parseCid, RAW_CODEC, SHA_256_CODE, type Cid } from './cid';
import { encodeFileNode, encodeLeafFrame, sumFileSizes, type FilePart } from './unixfs';

interface LeafKind {
	readonly chunkBytes: number;
	/** Whether a chunk of the file is stored as a block unchanged, with no bytes before and after it. */
	readonly isRaw: boolean;
	readonly version: Cid['version'];
	/** The numbers of links in a block that occur with this type of leaf. */
	readonly widths: readonly number[];
}

const SMALL_CHUNK_BYTES = 256 * 1024;
const LARGE_CHUNK_BYTES = 1024 * 1024;

/**
 * The ways in which services commonly cut files into blocks. Version 0 is the default of kubo. Version 1 comes with
 * two sizes of chunks and two numbers of links.
 */
const LEAF_KINDS: readonly LeafKind[] = [
	{ chunkBytes: SMALL_CHUNK_BYTES, isRaw: false, version: 0, widths: [174] },
	{ chunkBytes: SMALL_CHUNK_BYTES, isRaw: true, version: 1, widths: [174, 1024] },
	{ chunkBytes: LARGE_CHUNK_BYTES, isRaw: true, version: 1, widths: [174, 1024] },
];

/** A larger file is never a single raw block, because peers send no message that is larger than this. */
const MAX_RAW_FILE_BYTES = 4 * 1024 * 1024;

/**
 * The methods that matched the last CID. They are tried first, because a service keeps its method, and each method
 * must hash all bytes.
 */
let foundKinds = LEAF_KINDS;

/**
 * Checks whether a CID belongs to a file. While the file is sent, its bytes are hashed by the methods that matched
 * last. If the CID does not match, the file is read again and hashed by the other methods.
 */
export class CidCheck {
	private readonly kinds = foundKinds;

	private readonly hasher: FileHasher;

	constructor(private readonly file: FileContent) {
		this.hasher = new FileHasher(file.size, this.kinds);
	}

	update(bytes: Uint8Array): void {
		this.hasher.update(bytes);
	}

	/**
	 * Whether the file has this CID. Null if no known method gives the CID; false if it is the CID of a single block
	 * with other bytes.
	 */
	async verify(text: unknown): Promise<boolean | null> {
		const cid = typeof text === 'string' ? parseCid(text.trim()) : undefined;
		if (cid?.hashCode !== SHA_256_CODE) return null;
		const cids = this.hasher.finish();
		if (cid.codec === RAW_CODEC && cids.digest) return cid.digest.equals(cids.digest);
		let found = cids.findKinds(cid);
		if (found.length === 0) found = await this.findOtherKinds(cid);
		foundKinds = found.length > 0 ? found : LEAF_KINDS;
		return found.length > 0 ? true : null;
	}

	private async findOtherKinds(cid: Cid): Promise<readonly LeafKind[]> {
		const kinds = LEAF_KINDS.filter((kind) => !this.kinds.includes(kind));
		if (kinds.length === 0) return [];
		const hasher = new FileHasher(this.file.size, kinds);
		try {
			for await (const bytes of this.file.stream()) {
				hasher.update(bytes);
				await wait(0);
			}
		} catch {
			// The file is already stored, so a failed check must not fail the item.
			return [];
		}
		return hasher.finish().findKinds(cid);
	}
}

/**
 * Computes the CIDs of a file by all known methods while its bytes pass. Memory holds only the links of one block for
 * each level of a tree.
 */
export class FileHasher {
	private readonly leaves: readonly LeafHasher[];

	private readonly whole: Hash | undefined;

	constructor(size: number, kinds = LEAF_KINDS) {
		this.leaves = kinds.map((kind) => new LeafHasher(kind, size));
		this.whole = size <= MAX_RAW_FILE_BYTES ? createHash('sha256') : undefined;
	}

	update(bytes: Uint8Array): void {
		this.whole?.update(bytes);
		for (const leaves of this.leaves) leaves.update(bytes);
	}

	/** Returns the CIDs of the file. Must be called after its last bytes. */
	finish(): FileCids {
		return new FileCids(
			this.leaves.flatMap((leaves) => leaves.finish()),
			this.whole?.digest(),
		);
	}
}

interface FileRoot extends Cid {
	readonly kind: LeafKind;
}

/** The CIDs of a file. */
class FileCids {
	constructor(
		readonly roots: readonly FileRoot[],
		/** The hash of the whole file, if it is small enough to be a single block. */
		readonly digest: Buffer | undefined,
	) {}

	/** Finds the methods by which the file has this CID. */
	findKinds({ codec, digest }: Cid): readonly LeafKind[] {
		const roots = this.roots.filter((root) => root.codec === codec && root.digest.equals(digest));
		return [...new Set(roots.map(({ kind }) => kind))];
	}
}

/** Cuts a file of known size into chunks, and hashes each chunk as a leaf of a tree. */
class LeafHasher {
	private readonly trees: readonly BalancedTree[];
	private remaining: number;
	private hash: Hash | undefined;
	private tail: Uint8Array = Buffer.alloc(0);
	private frameBytes = 0;
	/** The size of the current chunk, and how many of its bytes have not arrived yet. */
	private chunkBytes = 0;
	private missing = 0;

	constructor(
		private readonly kind: LeafKind,
		size: number,
	) {
		this.trees = kind.widths.map((width) => new BalancedTree(width, kind.version));
		this.remaining = size;
	}

	update(bytes: Uint8Array): void {
		for (let at = 0; at < bytes.length; ) {
			const hash = this.hash ?? this.beginChunk();
			const piece = bytes.subarray(at, at + this.missing);
			// Bytes beyond the stated size of the file are ignored.
			if (piece.length === 0) return;
			hash.update(piece);
			at += piece.length;
			this.missing -= piece.length;
			if (this.missing === 0) this.endChunk(hash);
		}
	}

	finish(): readonly FileRoot[] {
		if (this.trees.every((tree) => tree.isEmpty)) this.endChunk(this.beginChunk());
		return this.trees.map((tree) => ({ ...tree.finish(), kind: this.kind }));
	}

	private beginChunk(): Hash {
		this.chunkBytes = Math.min(this.kind.chunkBytes, this.remaining);
		this.missing = this.chunkBytes;
		this.remaining -= this.chunkBytes;
		const [head, tail] = this.kind.isRaw ? NO_FRAME : encodeLeafFrame(this.chunkBytes);
		this.tail = tail;
		this.frameBytes = head.length + tail.length;
		this.hash = createHash('sha256').update(head);
		return this.hash;
	}

	private endChunk(hash: Hash): void {
		const codec = this.kind.isRaw ? RAW_CODEC : DAG_PB_CODEC;
		const cid = buildCid(this.kind.version, codec, hash.update(this.tail).digest());
		const treeSize = this.chunkBytes + this.frameBytes;
		const leaf = { cid, fileSize: this.chunkBytes, treeSize };
		for (const tree of this.trees) tree.add(leaf);
		this.hash = undefined;
	}
}

const NO_FRAME = [Buffer.alloc(0), Buffer.alloc(0)] as const;

/** A tree of blocks whose leaves all have the same depth. It grows from left to right. */
class BalancedTree {
	/** The parts of each level that are not in a block yet, beginning with the leaves. */
	private readonly levels: FilePart[][] = [];

	constructor(
		private readonly width: number,
		private readonly version: Cid['version'],
	) {}

	get isEmpty(): boolean {
		return this.levels.length === 0;
	}

	add(part: FilePart, level = 0): void {
		const parts = this.levels[level] ?? [];
		this.levels[level] = parts;
		if (parts.length === this.width) this.add(this.join(parts.splice(0)), level + 1);
		parts.push(part);
	}

	finish(): Cid {
		for (let level = 0; ; level++) {
			const parts = this.levels[level] ?? [];
			const [only] = parts;
			if (level === this.levels.length - 1 && parts.length === 1 && only) return only.cid;
			this.add(this.join(parts), level + 1);
		}
	}

	private join(parts: readonly FilePart[]): FilePart {
		const block = encodeFileNode(parts);
		const digest = createHash('sha256').update(block).digest();
		const cid = buildCid(this.version, DAG_PB_CODEC, digest);
		const treeSize = parts.reduce((sum, part) => sum + part.treeSize, block.length);
		return { cid, fileSize: sumFileSizes(parts), treeSize };
	}
}

function buildCid(version: Cid['version'], codec: number, digest: Buffer): Cid {
	return { version, codec, hashCode: SHA_256_CODE, digest };
}
