/** Blocks that follow one another, both ends included. */
export interface BlockRange {
	readonly from: number;
	readonly to: number;
}

/** This many blocks are read at a time: few nodes let one search span many more. */
export const BLOCKS_AT_ONCE = 100;

/** A range cut into pieces that are read one request each. */
export function blockRanges(from: number, to: number): BlockRange[] {
	return Array.from({ length: Math.ceil((to - from + 1) / BLOCKS_AT_ONCE) }, (_, index) => {
		const start = from + index * BLOCKS_AT_ONCE;
		return { from: start, to: Math.min(start + BLOCKS_AT_ONCE - 1, to) };
	});
}
