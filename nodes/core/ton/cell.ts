import { hash } from 'crypto';
import { runAtOnce, type Sliced } from '../net/pacing/slices';
import {
	countBits,
	HASH_BYTES,
	MAX_CELL_DEPTH,
	parseExoticCell,
	unreadableCellError,
	type CellDigest,
} from './exotic';

export const MAX_CELL_BITS = 1023;
export const MAX_CELL_REFERENCES = 4;
const MAX_LEVEL = 3;

/**
 * A cell is the unit of a chain's storage: bits, and references to other cells. A cell never changes, so it can be
 * shared and needs to be hashed only once.
 */
export class Cell {
	readonly depth: number;
	/**
	 * Bit i is set if the hash at level i + 1 differs from that at level i. A pruned branch (a cell that stands for a
	 * left-out cell) makes it differ.
	 */
	readonly levelMask: number;
	private digests?: readonly CellDigest[];
	private text?: string;

	/**
	 * The content begins at the byte `start` of `bytes`, and has `bits` bits. A 1 and zeros fill up its last byte. A
	 * separate view of the bytes for each of many cells would be slow.
	 */
	constructor(
		readonly bytes: Uint8Array,
		readonly start: number,
		readonly bits: number,
		readonly references: readonly Cell[],
		readonly isExotic = false,
	) {
		this.depth = getDepth(references);
		if (this.depth > MAX_CELL_DEPTH)
			throw unreadableCellError(`they are nested deeper than ${MAX_CELL_DEPTH} levels`);
		this.levelMask = isExotic
			? parseExoticCell(this).levelMask
			: references.reduce((mask, one) => mask | one.levelMask, 0);
	}

	get content(): Uint8Array {
		return this.bytes.subarray(this.start, this.start + Math.ceil(this.bits / 8));
	}

	/** The SHA-256 hash of the cell's content and of the hashes of the cells that it refers to. */
	get hash(): Buffer {
		return this.getDigest(MAX_LEVEL).hash;
	}

	/** The hash as a text. Equal cells have equal keys. */
	get key(): string {
		return (this.text ??= this.hash.toString('latin1'));
	}

	/** The number of different hashes that the cell has. A cell without pruned branches has one. */
	get hashCount(): number {
		return 1 + countBits(this.levelMask);
	}

	/**
	 * Returns the hash and the depth at a level. At a lower level, they are those of the complete cell, before a proof
	 * left out (pruned) some of the cells below.
	 */
	getDigest(level: number): CellDigest {
		const digests = this.digests ?? computeDigests(this);
		return digests[countBits(this.levelMask & getLevelsBelow(level))] as CellDigest;
	}

	get isHashed(): boolean {
		return this.digests !== undefined;
	}

	/** Computes the hashes. The cells that this cell refers to must already be hashed. */
	setDigests(): readonly CellDigest[] {
		return (this.digests ??= buildDigests(this));
	}
}

function getDepth(below: ReadonlyArray<{ readonly depth: number }>): number {
	return below.reduce((most, { depth }) => Math.max(most, depth + 1), 0);
}

function getLevelsBelow(level: number): number {
	return (1 << level) - 1;
}

function computeDigests(root: Cell): readonly CellDigest[] {
	runAtOnce(hashCells([root]));
	return root.setDigests();
}

/** The number of cells that are hashed without a pause. Hashing a thousand takes some milliseconds. */
const SLICE_CELLS = 2000;

/**
 * Hashes each cell once, from the leaves up, without recursion. It yields after each slice of the work, so that other
 * code can run.
 */
export function* hashCells(roots: readonly Cell[]): Sliced<void> {
	const open = [...roots];
	let hashed = 0;
	for (let cell = open.pop(); cell; cell = open.pop()) {
		const missing = cell.references.filter((one) => !one.isHashed);
		if (missing.length > 0) {
			open.push(cell);
			for (const one of missing) open.push(one);
			continue;
		}
		cell.setDigests();
		if (++hashed % SLICE_CELLS === 0) yield;
	}
}

/** Builds the different hashes of the cell, from the lowest level to the highest. */
function buildDigests(cell: Cell): readonly CellDigest[] {
	const exotic = cell.isExotic ? parseExoticCell(cell) : undefined;
	if (exotic?.pruned) return [...exotic.pruned, buildDigest(cell, MAX_LEVEL, cell.content, [])];
	const digests: CellDigest[] = [];
	for (let level = 0; level <= MAX_LEVEL; level++) {
		if (level > 0 && !(cell.levelMask & (1 << (level - 1)))) continue;
		const content = digests[digests.length - 1]?.hash ?? cell.content;
		const below = cell.references.map((one) => one.getDigest(level + (exotic?.isProof ? 1 : 0)));
		digests.push(buildDigest(cell, level, content, below));
	}
	return digests;
}

/** Hashes the two bytes that describe the cell, its content, and then the depths and the hashes of the cells below. */
function buildDigest(
	{ bits, references, isExotic, levelMask }: Cell,
	level: number,
	content: Uint8Array,
	below: readonly CellDigest[],
): CellDigest {
	const depthsAt = 2 + content.length;
	const hashesAt = depthsAt + 2 * below.length;
	const representation = Buffer.allocUnsafe(hashesAt + HASH_BYTES * below.length);
	representation[0] = encodeReferences(
		references.length,
		isExotic,
		levelMask & getLevelsBelow(level),
	);
	representation[1] = encodeBitLength(bits);
	representation.set(content, 2);
	below.forEach(({ hash, depth }, index) => {
		representation.writeUInt16BE(depth, depthsAt + 2 * index);
		representation.set(hash, hashesAt + HASH_BYTES * index);
	});
	return { hash: hash('sha256', representation, 'buffer'), depth: getDepth(below) };
}

/** Encodes the first descriptor byte of a cell. */
export function encodeReferences(count: number, isExotic: boolean, levelMask: number): number {
	return count + (isExotic ? 8 : 0) + 32 * levelMask;
}

/** Encodes the second descriptor byte of a cell: each whole byte counts twice, an incomplete byte once. */
export function encodeBitLength(bits: number): number {
	return Math.floor(bits / 8) + Math.ceil(bits / 8);
}

/** Counts the bits and the cells below a root. Equal cells count once, as they do on the chain. */
export function measureCells(root: Cell): { readonly bits: bigint; readonly cells: bigint } {
	const seen = new Set([root.key]);
	const open = [root];
	let bits = 0;
	for (let cell = open.pop(); cell; cell = open.pop()) {
		bits += cell.bits;
		for (const one of cell.references) {
			if (seen.has(one.key)) continue;
			seen.add(one.key);
			open.push(one);
		}
	}
	return { bits: BigInt(bits), cells: BigInt(seen.size) };
}
