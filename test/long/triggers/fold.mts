import type { IDataObject } from 'n8n-workflow';

/** The events that remain after removed events are taken away, and the mistakes in the sequence. */
export interface FoldResult {
	readonly left: string[];
	readonly faults: string[];
}

/** Takes away the events that items with `removed: true` revoke. Such items must come in reverse order. */
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

/**
 * Takes away the blocks that items with `reorganized: true` replace. Such a block replaces the block with the same
 * number.
 */
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
		// The trigger emits the blocks after the replaced block again, so all of them are taken away.
		if (isOld) left.length = place + 1;
	}
	return { left, faults };
}
