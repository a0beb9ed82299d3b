import type { ChainObject } from './evm';

/** A block's place on the chain. */
export interface Place {
	readonly number: number;
	readonly hash: string;
	/** Not every source tells it. */
	readonly parentHash?: string;
}

/** Something that happened in a block, as the user will see it. */
export interface Happening {
	readonly block: Place;
	readonly json: ChainObject;
}

/** A block that was dealt with, and what was told of it that can be taken back. */
interface Mark extends Place {
	readonly told?: readonly ChainObject[];
}

/** How far a trigger has come. Plain JSON, because n8n keeps it. */
export interface Position {
	/** The latest blocks that were dealt with, oldest first: all with happenings, and the end of each stretch. */
	readonly marks: readonly Mark[];
	/** Where to begin again when no mark stands any more. What is below counts as settled. */
	readonly floor: number;
	/** The first block that was not dealt with. */
	readonly next: number;
	/** The highest block ever dealt with: what comes at or below it again replaces something. */
	readonly highest: number;
}

export interface News {
	readonly json: ChainObject;
	readonly fate: 'new' | 'replacing' | 'removed';
}

export interface Step {
	readonly position: Position;
	readonly news: readonly News[];
}

/** Older blocks count as settled. */
export const MARKS_KEPT = 64;
const TOLD_IN_MEMORY = 20_000;
const TOLD_IN_STORAGE = 500;

export function startAt({ number, hash }: Place): Position {
	return { marks: [{ number, hash }], floor: number + 1, next: number + 1, highest: number };
}

/** Begins at a block that was not read yet. */
export function startFrom(number: number): Position {
	return { marks: [], floor: number, next: number, highest: Math.max(number - 1, 0) };
}

/** What lies in n8n's database must stay small. */
export function lean(position: Position): Position {
	return { ...position, marks: trimmed(position.marks, TOLD_IN_STORAGE) };
}

export function isKnown({ marks }: Position, { number, hash }: Place): boolean {
	return marks.some((mark) => mark.number === number && mark.hash === hash);
}

/** Goes on to a block, with what happened from the next one up to it. */
export function extend(
	{ marks, floor, highest }: Position,
	end: Place,
	happened: readonly Happening[],
	isTakenBack: boolean,
): Step {
	const all = [...marks, ...marksOf(happened, end, isTakenBack)];
	const dropped = all.at(-MARKS_KEPT - 1);
	return {
		position: {
			marks: trimmed(all, TOLD_IN_MEMORY),
			floor: dropped ? dropped.number + 1 : floor,
			next: end.number + 1,
			highest: Math.max(highest, end.number),
		},
		news: happened.map(({ block, json }) => ({
			json,
			fate: block.number <= highest ? 'replacing' : 'new',
		})),
	};
}

/**
 * Goes back to the first so many marks: the blocks of the others have left the chain. They may hold what was told
 * before the user chose another event.
 */
export function goBack(position: Position, standing: number, isTakenBack: boolean): Step {
	const { marks } = position;
	const fallen = marks.slice(standing);
	if (fallen.length === 0) return { position, news: [] };
	const told = isTakenBack ? fallen.flatMap((mark) => mark.told ?? []) : [];
	const last = marks[standing - 1];
	const next = last ? last.number + 1 : position.floor;
	return {
		position: { ...position, marks: marks.slice(0, standing), next },
		news: told.reverse().map((json) => ({ json, fate: 'removed' })),
	};
}

function marksOf(happened: readonly Happening[], end: Place, isTakenBack: boolean): Mark[] {
	const told = new Map<string, ChainObject[]>();
	const blocks = new Map<string, Place>();
	for (const { block, json } of happened) {
		const earlier = told.get(block.hash);
		if (earlier) earlier.push(json);
		else told.set(block.hash, [json]);
		blocks.set(block.hash, block);
	}
	if (!blocks.has(end.hash)) blocks.set(end.hash, end);
	return [...blocks.values()].map(({ number, hash }) => {
		const all = isTakenBack ? told.get(hash) : undefined;
		return all ? { number, hash, told: all } : { number, hash };
	});
}

/** Old blocks are settled, and of the others there is room for so much that was told. */
function trimmed(marks: readonly Mark[], most: number): Mark[] {
	let room = most;
	const newestFirst = marks.slice(-MARKS_KEPT).reverse();
	return newestFirst
		.map((mark) => {
			room -= mark.told?.length ?? 0;
			return room >= 0 ? mark : { number: mark.number, hash: mark.hash };
		})
		.reverse();
}
