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
 * The unit of a chain's storage: bits, and references to other cells. A cell never changes, so it can be shared and is
 * hashed once.
 */
export class Cell {
	readonly depth: number;
	/** Bit i is set if a pruned branch below hides something from the hashes above level i. */
	readonly levelMask: number;
	private digests?: readonly CellDigest[];
	private text?: string;

	/**
	 * Where the content begins in the bytes that hold it, and how many bits it has; it is filled to whole bytes by a 1 and
	 * zeros. A view for each of the many cells of a bag would take longer than all else.
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

	/** SHA-256 of the content and of the hashes of all cells below. */
	get hash(): Buffer {
		return this.getDigest(MAX_LEVEL).hash;
	}

	/** The hash as text, by which equal cells are found. */
	get key(): string {
		return (this.text ??= this.hash.toString('latin1'));
	}

	/** How many hashes the cell has: one for each level at which it looks different. */
	get hashCount(): number {
		return 1 + countBits(this.levelMask);
	}

	/** The hash and depth at this level. Below the highest level, a proof shows pruned parts as they were. */
	getDigest(level: number): CellDigest {
		const digests = this.digests ?? computeDigests(this);
		return digests[countBits(this.levelMask & getLevelsBelow(level))] as CellDigest;
	}

	get isHashed(): boolean {
		return this.digests !== undefined;
	}

	/** The cells below must already be hashed. */
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

/** How many cells are hashed at a time; a thousand take some milliseconds. */
const SLICE_CELLS = 2000;

/**
 * Hashes each cell once, from the leaves up, without recursion. Between slices of the work it yields, so that its caller
 * can let others have their turn.
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

/** One hash for each level at which the cell looks different. */
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

/** Descriptors, content, the depths of the cells below, their hashes. */
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

/** The first descriptor of a cell. */
export function encodeReferences(count: number, isExotic: boolean, levelMask: number): number {
	return count + (isExotic ? 8 : 0) + 32 * levelMask;
}

/** The second descriptor: whole bytes count twice, an incomplete byte once. */
export function encodeBitLength(bits: number): number {
	return Math.floor(bits / 8) + Math.ceil(bits / 8);
}

/** Counts each cell once, as the chain does. */
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
