import { CellBuilder } from './builder';
import type { Cell } from './cell';
import { Slice } from './slice';

/** The parts of a contract. Their hash is its address. */
export function buildStateInit(code: Cell, data: Cell): Cell {
	return new CellBuilder()
		.storeUint(0b00, 2)
		.storeMaybeReference(code)
		.storeMaybeReference(data)
		.storeBit(false)
		.build();
}

const SPLIT_DEPTH_BITS = 5;
const SPECIAL_BITS = 2;

/** Reads past a state init, which must be valid: depth of splitting, special, code, data, libraries. */
export function loadStateInit(slice: Slice): Cell {
	const copy = new CellBuilder();
	for (const width of [SPLIT_DEPTH_BITS, SPECIAL_BITS]) {
		const isThere = slice.loadBit();
		copy.storeBit(isThere);
		if (isThere) copy.storeUint(slice.loadNumber(width), width);
	}
	for (let part = 0; part < 3; part++) copy.storeMaybeReference(slice.loadMaybeReference());
	return copy.build();
}

/** Whether a cell is a state init and contains nothing else. */
export function isStateInit(cell: Cell): boolean {
	const slice = new Slice(cell);
	loadStateInit(slice);
	return slice.isAtEnd;
}

/** Whether a state init has libraries after its code and its data. */
export function hasLibraries(stateInit: Cell): boolean {
	const slice = new Slice(stateInit);
	for (const width of [SPLIT_DEPTH_BITS, SPECIAL_BITS])
		if (slice.loadBit()) slice.loadNumber(width);
	for (let part = 0; part < 2; part++) slice.loadMaybeReference();
	return slice.loadBit();
}
