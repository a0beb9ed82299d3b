import { InvalidValue } from '../values/parse';
import { CellBuilder } from './builder';
import type { Cell } from './cell';
import { unreadableCellError } from './exotic';
import { Slice } from './slice';

const MAX_BYTES_OF_A_CELL = 127;
/** The chain of cells stays below the depth that the blockchain accepts. This leaves some depth for the cells around it. */
const MAX_SNAKE_CELLS = 1000;
export const MAX_SNAKE_BYTES = MAX_BYTES_OF_A_CELL * MAX_SNAKE_CELLS;

/** Stores any number of bytes: as many as fit into the present cell, and the rest in a chain of further cells. */
export function storeSnake(builder: CellBuilder, bytes: Uint8Array): CellBuilder {
	if (bytes.length > MAX_SNAKE_BYTES)
		throw new InvalidValue(`text of at most ${MAX_SNAKE_BYTES} bytes`);
	const first = Math.min(bytes.length, builder.freeBits >> 3);
	let next: Cell | undefined;
	const last =
		first + Math.floor((bytes.length - first - 1) / MAX_BYTES_OF_A_CELL) * MAX_BYTES_OF_A_CELL;
	for (let at = last; at >= first && first < bytes.length; at -= MAX_BYTES_OF_A_CELL) {
		const part = new CellBuilder().storeBytes(bytes.subarray(at, at + MAX_BYTES_OF_A_CELL));
		next = (next ? part.storeReference(next) : part).build();
	}
	builder.storeBytes(bytes.subarray(0, first));
	return next ? builder.storeReference(next) : builder;
}

/**
 * Loads all remaining bytes of a chain of cells. A character may be divided between two cells, so the bytes are
 * joined before they are decoded.
 */
export function loadSnake(slice: Slice): Buffer {
	const parts: Buffer[] = [];
	for (let part: Slice | undefined = slice; part; ) {
		if (part.remainingBits % 8 > 0 || part.remainingReferences > 1)
			throw unreadableCellError('a text is no chain of whole bytes');
		parts.push(part.loadBytes(part.remainingBits / 8));
		part = part.remainingReferences > 0 ? new Slice(part.loadReference()) : undefined;
	}
	return Buffer.concat(parts);
}
