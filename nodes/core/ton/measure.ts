import type { Cell } from './cell';

/** Counts each cell once, as the chain does. */
export function measureCells(root: Cell): { readonly bits: bigint; readonly cells: bigint } {
	const seen = new Set<string>();
	const open = [root];
	let bits = 0n;
	for (let cell = open.pop(); cell; cell = open.pop()) {
		const hash = cell.hash.toString('hex');
		if (seen.has(hash)) continue;
		seen.add(hash);
		bits += BigInt(cell.bits);
		for (const one of cell.references) open.push(one);
	}
	return { bits, cells: BigInt(seen.size) };
}
