import type { ChainObject } from '../chainObject';
import { BlockRef } from '../blockRef';

/** Something that happened in a block, as the user will see it. */
export interface ChainEvent {
	readonly block: BlockRef;
	readonly json: ChainObject;
}

/** A block that was dealt with, and what was told of it that can be taken back. */
interface Mark extends BlockRef {
	readonly emitted?: readonly ChainObject[];
}

/** How far a trigger has come. Plain JSON, because n8n keeps it. */
export interface Cursor {
	/** The latest blocks that were dealt with, oldest first: all with happenings, and the end of each stretch. */
	readonly marks: readonly Mark[];
	/** Where to begin again when no mark stands any more. What is below counts as settled. */
	readonly floor: number;
	/** The first block that was not dealt with. */
	readonly next: number;
	/** The highest block ever dealt with: what comes at or below it again replaces something. */
	readonly highest: number;
}

export interface Emission {
	readonly json: ChainObject;
	readonly fate: 'new' | 'replacing' | 'removed';
}

export interface Advance {
	readonly cursor: Cursor;
	readonly emissions: readonly Emission[];
}

/** Older blocks count as settled. */
export const MARKS_KEPT = 64;
const TOLD_IN_MEMORY = 20_000;
const TOLD_IN_STORAGE = 500;

export function startAt({ number, hash }: BlockRef): Cursor {
	return { marks: [{ number, hash }], floor: number + 1, next: number + 1, highest: number };
}

/** Begins at a block that was not read yet. */
export function startFrom(number: number): Cursor {
	return { marks: [], floor: number, next: number, highest: Math.max(number - 1, 0) };
}

/** What lies in n8n's database must stay small. */
export function lean(cursor: Cursor): Cursor {
	return { ...cursor, marks: trimmed(cursor.marks, TOLD_IN_STORAGE) };
}

export function isKnown({ marks }: Cursor, { number, hash }: BlockRef): boolean {
	return marks.some((mark) => mark.number === number && mark.hash === hash);
}

/** Goes on to a block, with what happened from the next one up to it. */
export function extend(
	{ marks, floor, highest }: Cursor,
	end: BlockRef,
	events: readonly ChainEvent[],
	isTakenBack: boolean,
): Advance {
	const all = [...marks, ...marksOf(events, end, isTakenBack)];
	const dropped = all.at(-MARKS_KEPT - 1);
	return {
		cursor: {
			marks: trimmed(all, TOLD_IN_MEMORY),
			floor: dropped ? dropped.number + 1 : floor,
			next: end.number + 1,
			highest: Math.max(highest, end.number),
		},
		emissions: events.map(({ block, json }) => ({
			json,
			fate: block.number <= highest ? 'replacing' : 'new',
		})),
	};
}

/**
 * Goes back to the first so many marks: the blocks of the others have left the chain. They may hold what was told
 * before the user chose another event.
 */
export function goBack(cursor: Cursor, standing: number, isTakenBack: boolean): Advance {
	const { marks } = cursor;
	const fallen = marks.slice(standing);
	if (fallen.length === 0) return { cursor, emissions: [] };
	const emitted = isTakenBack ? fallen.flatMap((mark) => mark.emitted ?? []) : [];
	const last = marks[standing - 1];
	const next = last ? last.number + 1 : cursor.floor;
	return {
		cursor: { ...cursor, marks: marks.slice(0, standing), next },
		emissions: emitted.reverse().map((json) => ({ json, fate: 'removed' })),
	};
}

function marksOf(events: readonly ChainEvent[], end: BlockRef, isTakenBack: boolean): Mark[] {
	const emitted = new Map<string, ChainObject[]>();
	const blocks = new Map<string, BlockRef>();
	for (const { block, json } of events) {
		const earlier = emitted.get(block.hash);
		if (earlier) earlier.push(json);
		else emitted.set(block.hash, [json]);
		blocks.set(block.hash, block);
	}
	if (!blocks.has(end.hash)) blocks.set(end.hash, end);
	return [...blocks.values()].map(({ number, hash }) => {
		const all = isTakenBack ? emitted.get(hash) : undefined;
		return all ? { number, hash, emitted: all } : { number, hash };
	});
}

/** Old blocks are settled, and of the others there is room for so much that was told. */
function trimmed(marks: readonly Mark[], most: number): Mark[] {
	let room = most;
	const newestFirst = marks.slice(-MARKS_KEPT).reverse();
	return newestFirst
		.map((mark) => {
			room -= mark.emitted?.length ?? 0;
			return room >= 0 ? mark : { number: mark.number, hash: mark.hash };
		})
		.reverse();
}
