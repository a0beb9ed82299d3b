import type { Cell } from './cell';
import { unreadableCellError } from './exotic';
import { Slice } from './slice';
import { raise } from '../errors/raise';

/** Cells may be shared, so that few of them can hold endlessly many entries. */
const MAX_DICTIONARY_ENTRIES = 10_000;

interface Branch {
	readonly cell: Cell;
	/** The bits of the key so far, and how many are left. */
	readonly prefix: bigint;
	readonly left: number;
}

/** The values of a dictionary by their keys, in the order of these, each from its first bit on. Null is an empty one. */
export function readDictionary(root: Cell | null, keyBits: number): Map<bigint, Slice> {
	const entries = new Map<bigint, Slice>();
	const open: Branch[] = root ? [{ cell: root, prefix: 0n, left: keyBits }] : [];
	for (let branch = open.pop(); branch; branch = open.pop()) {
		const slice = new Slice(branch.cell);
		const label = loadLabel(slice, branch.left);
		const prefix = (branch.prefix << BigInt(label.length)) | label.value;
		const left = branch.left - label.length;
		if (left === 0) entries.set(prefix, slice);
		else for (const side of loadFork(slice, prefix, left - 1)) open.push(side);
		if (entries.size > MAX_DICTIONARY_ENTRIES)
			throw unreadableCellError(`a dictionary has more than ${MAX_DICTIONARY_ENTRIES} entries`);
	}
	return entries;
}

/** The right side first, so that the left one is taken from the top. */
function loadFork(slice: Slice, prefix: bigint, left: number): Branch[] {
	const sides = [0n, 1n].map((bit) => {
		return { cell: slice.loadReference(), prefix: (prefix << 1n) | bit, left };
	});
	return sides.reverse();
}

interface Label {
	readonly length: number;
	readonly value: bigint;
}

/** The bits that all keys of a branch have in common: short, long, or one bit repeated. */
function loadLabel(slice: Slice, most: number): Label {
	const widthBits = most === 0 ? 0 : most.toString(2).length;
	if (!slice.loadBit()) return loadLabelBits(slice, loadUnary(slice), most);
	if (!slice.loadBit()) return loadLabelBits(slice, slice.loadNumber(widthBits), most);
	const isOne = slice.loadBit();
	const length = requireLength(slice.loadNumber(widthBits), most);
	return { length, value: isOne ? (1n << BigInt(length)) - 1n : 0n };
}

function loadLabelBits(slice: Slice, length: number, most: number): Label {
	return { length: requireLength(length, most), value: slice.loadUint(length) };
}

function loadUnary(slice: Slice): number {
	let count = 0;
	while (slice.loadBit()) count++;
	return count;
}

function requireLength(length: number, most: number): number {
	return length <= most ? length : raise(unreadableCellError('a key of a dictionary is too long'));
}
