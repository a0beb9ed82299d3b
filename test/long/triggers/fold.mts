import type { IDataObject } from 'n8n-workflow';

/** The emitted events without those that were taken back, and the mistakes in them. */
export interface FoldResult {
	readonly left: string[];
	readonly faults: string[];
}

/** Folds events that are taken back with `removed: true`, the latest first. */
export function foldItems(
	items: readonly IDataObject[],
	nameOf: (item: IDataObject) => string,
): FoldResult {
	const left: string[] = [];
	const present = new Set<string>();
	const faults: string[] = [];
	for (const item of items) {
		const name = nameOf(item);
		if (item.removed !== true) {
			if (present.has(name)) faults.push(`emitted twice: ${name}`);
			present.add(name);
			left.push(name);
		} else if (left.at(-1) === name) {
			left.pop();
			present.delete(name);
		} else faults.push(`taken back out of turn: ${name}`);
	}
	return { left, faults };
}

/** Folds blocks: a block with `reorganized: true` replaces the one with its number. */
export function foldBlocks(items: readonly IDataObject[], first: number): FoldResult {
	const left: string[] = [];
	const faults: string[] = [];
	for (const { number, hash, reorganized } of items) {
		const place = Number(number) - first;
		const isNext = place === left.length;
		const isOld = place < left.length && place >= 0;
		if (!isOld && !isNext) faults.push(`out of order: block ${String(number)}`);
		if (isOld && !reorganized) faults.push(`emitted twice: block ${String(number)}`);
		left[place] = String(hash);
		// Blocks after the replaced block are emitted again, too.
		if (isOld) left.length = place + 1;
	}
	return { left, faults };
}
