import { InvalidValue } from '../values/parse';

export const HASH_BYTES = 32;
const DEPTH_BYTES = 2;
/** The chain refuses cells that are nested deeper. */
export const MAX_CELL_DEPTH = 1024;

/** The hash and the depth that a cell has at one level. */
export interface CellDigest {
	readonly hash: Buffer;
	readonly depth: number;
}

interface CellBelow {
	/**
	 * Bit i is set if the hash at level i + 1 differs from that at level i. A pruned branch (a cell that stands for a
	 * left-out cell) makes it differ.
	 */
	readonly levelMask: number;
	getDigest(level: number): CellDigest;
}

interface ExoticContent {
	readonly content: Uint8Array;
	readonly bits: number;
	readonly references: readonly CellBelow[];
}

interface ExoticCell {
	readonly levelMask: number;
	/** The hash and the depth of the cell that a pruned branch stands for, one pair for each set bit of `levelMask`. */
	readonly pruned?: readonly CellDigest[];
	/** Whether the cell is a proof. The cells below it are then read one level higher. */
	readonly isProof?: boolean;
}

export function unreadableCellError(reason: string) {
	return new InvalidValue(`cells (the units of data on TON) that can be read: ${reason}`);
}

const PRUNED_BRANCH = 1;
const LIBRARY = 2;
const MERKLE_PROOF = 3;
const MERKLE_UPDATE = 4;

/** Parses an exotic cell, which is not plain data. It refers to a library, or is a proof or a pruned branch of one. */
export function parseExoticCell({ content, bits, references }: ExoticContent): ExoticCell {
	const kind = bits >= 8 ? content[0] : undefined;
	const data = Buffer.from(content.subarray(1));
	if (kind === LIBRARY) {
		requireShape(bits, HASH_BYTES, references.length, 0);
		return { levelMask: 0 };
	}
	if (kind === PRUNED_BRANCH) return parsePrunedBranch(data, bits, references.length);
	if (kind === MERKLE_PROOF) return parseProof(data, bits, references, 1);
	if (kind === MERKLE_UPDATE) return parseProof(data, bits, references, 2);
	throw unreadableCellError('one is of an exotic kind that is not known');
}

function requireShape(
	bits: number,
	dataBytes: number,
	references: number,
	wantedReferences: number,
): void {
	if (bits !== 8 + 8 * dataBytes || references !== wantedReferences)
		throw unreadableCellError('an exotic one is of another shape than its kind has');
}

const MAX_LEVEL_MASK = 7;

function parsePrunedBranch(data: Buffer, bits: number, references: number): ExoticCell {
	const levelMask = data[0] ?? 0;
	if (levelMask < 1 || levelMask > MAX_LEVEL_MASK)
		throw unreadableCellError('a pruned branch is of no level');
	const count = countBits(levelMask);
	requireShape(bits, 1 + count * (HASH_BYTES + DEPTH_BYTES), references, 0);
	const pruned = Array.from({ length: count }, (_, index) => readDigest(data, 1, index, count));
	return { levelMask, pruned };
}

/** Reads one pair of hash and depth. In the data, all hashes come before all depths. */
function readDigest(data: Buffer, start: number, index: number, count: number): CellDigest {
	const at = start + index * HASH_BYTES;
	const depth = data.readUInt16BE(start + count * HASH_BYTES + index * DEPTH_BYTES);
	if (depth > MAX_CELL_DEPTH) throw unreadableCellError('a pruned branch is too deep');
	return { hash: data.subarray(at, at + HASH_BYTES), depth };
}

/** Throws if the proof's hash or depth differs from that of the cell below it. */
function parseProof(
	data: Buffer,
	bits: number,
	references: readonly CellBelow[],
	count: number,
): ExoticCell {
	requireShape(bits, count * (HASH_BYTES + DEPTH_BYTES), references.length, count);
	references.forEach((one, index) => {
		const said = readDigest(data, 0, index, count);
		const { hash, depth } = one.getDigest(0);
		if (said.depth !== depth || !said.hash.equals(hash))
			throw unreadableCellError('a proof does not fit the cells below it');
	});
	const mask = references.reduce((all, { levelMask }) => all | levelMask, 0);
	return { levelMask: mask >> 1, isProof: true };
}

/** Counts the bits that are set. A level mask has three bits. */
export function countBits(mask: number): number {
	return (mask & 1) + ((mask >> 1) & 1) + ((mask >> 2) & 1);
}
