import type { IDataObject } from 'n8n-workflow';

/** What is left of what was told, and what was told wrongly. */
export interface FoldResult {
	readonly left: string[];
	readonly faults: string[];
}

/** Things that are taken back with `removed: true`, the latest first. */
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
			if (present.has(name)) faults.push(`told twice: ${name}`);
			present.add(name);
			left.push(name);
		} else if (left.at(-1) === name) {
			left.pop();
			present.delete(name);
		} else faults.push(`taken back out of turn: ${name}`);
	}
	return { left, faults };
}

/** Blocks: one with `reorganized: true` stands in place of the one of its number. */
export function foldBlocks(items: readonly IDataObject[], first: number): FoldResult {
	const left: string[] = [];
	const faults: string[] = [];
	for (const { number, hash, reorganized } of items) {
		const place = Number(number) - first;
		const isNext = place === left.length;
		const isOld = place < left.length && place >= 0;
		if (!isOld && !isNext) faults.push(`out of order: block ${String(number)}`);
		if (isOld && !reorganized) faults.push(`told twice: block ${String(number)}`);
		left[place] = String(hash);
		// What follows is told again, too.
		if (isOld) left.length = place + 1;
	}
	return { left, faults };
}
