import { CellBuilder } from './builder';
import type { Cell } from './cell';
import { Slice } from './slice';

/**
 * Builds the state init of a contract from its code and its data. The hash of the state init is the contract's
 * address.
 */
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

/**
 * Loads the state init of a slice, and returns a copy. It has a depth of splitting, a special flag, code, data and
 * libraries, each optional.
 */
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

/** Whether a cell is a state init and nothing more. */
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
