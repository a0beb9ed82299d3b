import type { BlockRef } from '../header';
import type { ChainObject } from '../objects/chainObject';

/** Something that happened in a block, as the user will see it. */
export interface ChainEvent {
	readonly block: BlockRef;
	readonly json: ChainObject;
}

/** A block that was read, and what was emitted of it that can be taken back. */
interface Mark extends BlockRef {
	readonly emitted?: readonly ChainObject[];
}

/** How far a trigger has come. Plain JSON, because n8n stores it. */
export interface Cursor {
	/** The latest blocks that were read, oldest first: all with events, and the end of each range. */
	readonly marks: readonly Mark[];
	/** Where to begin again when no mark stands any more. What is below counts as settled. */
	readonly floor: number;
	/** The first block that was not read. */
	readonly next: number;
	/** The highest block ever read: what comes at or below it again replaces something. */
	readonly highest: number;
	/** How often blocks have left the chain: the same ones may come back. */
	readonly turns: number;
}

export interface Emission {
	/** The hash of its block. */
	readonly block: string;
	readonly json: ChainObject;
	readonly fate: 'new' | 'replacing' | 'removed';
}

export interface Advance {
	readonly cursor: Cursor;
	readonly emissions: readonly Emission[];
}

/** Older blocks count as settled. */
export const MARKS_KEPT = 64;
const EMITTED_IN_MEMORY = 20_000;
const EMITTED_IN_STORAGE = 500;

export function startAt({ number, hash }: BlockRef): Cursor {
	const next = number + 1;
	return { marks: [{ number, hash }], floor: next, next, highest: number, turns: 0 };
}

/** Begins at a block that was not read yet. */
export function startFrom(number: number): Cursor {
	return { marks: [], floor: number, next: number, highest: Math.max(number - 1, 0), turns: 0 };
}

/** What lies in n8n's database must stay small. */
export function lean(cursor: Cursor): Cursor {
	return { ...cursor, marks: trimmed(cursor.marks, EMITTED_IN_STORAGE) };
}

export function isKnown({ marks }: Cursor, { number, hash }: BlockRef): boolean {
	return marks.some((mark) => mark.number === number && mark.hash === hash);
}

/** Goes on to a block, with what happened from the next one up to it. */
export function extend(
	{ marks, floor, highest, turns }: Cursor,
	end: BlockRef,
	events: readonly ChainEvent[],
	isTakenBack: boolean,
): Advance {
	const all = [...marks, ...marksOf(events, end, isTakenBack)];
	const dropped = all.at(-MARKS_KEPT - 1);
	return {
		cursor: {
			marks: trimmed(all, EMITTED_IN_MEMORY),
			floor: dropped ? dropped.number + 1 : floor,
			next: end.number + 1,
			highest: Math.max(highest, end.number),
			turns,
		},
		emissions: events.map(({ block, json }) => ({
			block: block.hash,
			json,
			fate: block.number <= highest ? 'replacing' : 'new',
		})),
	};
}

/**
 * Goes back to the first so many marks: the blocks of the others have left the chain. They may hold what was emitted
 * before the user chose another event.
 */
export function goBack(cursor: Cursor, standing: number, isTakenBack: boolean): Advance {
	const { marks, floor, turns } = cursor;
	const fallen = marks.slice(standing).reverse();
	if (fallen.length === 0) return { cursor, emissions: [] };
	const last = marks[standing - 1];
	const next = last ? last.number + 1 : floor;
	return {
		cursor: { ...cursor, marks: marks.slice(0, standing), next, turns: turns + 1 },
		emissions: isTakenBack ? fallen.flatMap(removed) : [],
	};
}

/** What was emitted of a block, the latest first. */
function removed({ hash, emitted = [] }: Mark): Emission[] {
	return [...emitted].reverse().map((json) => ({ block: hash, json, fate: 'removed' }));
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

/** Old blocks are settled, and of the others there is room for so much that was emitted. */
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
