import type { Cell } from './cell';

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
