import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import type { BlockRef, ChainId } from '../chain/blocks';
import type { ChainObject } from '../chain/objects';
import { isRecord } from '../values/read';

/** Something that happened in a block, as the user will see it. */
export interface ChainEvent {
	readonly block: BlockRef;
	readonly json: ChainObject;
}

/** A block that was read, and what was emitted of it that can be taken back. */
interface Checkpoint extends BlockRef {
	readonly emitted?: readonly ChainObject[];
}

/** How far a trigger has come. Plain JSON, because n8n stores it. */
export interface Cursor {
	/** The latest blocks that were read, oldest first: all with events, and the end of each range. */
	readonly checkpoints: readonly Checkpoint[];
	/** Restart point if every checkpoint was reorged out. What is below counts as settled. */
	readonly floor: number;
	/** The first block that was not read. */
	readonly next: number;
	/** The highest block ever read: what comes at or below it again replaces something. */
	readonly highest: number;
	/** How often blocks have left the chain: the same ones may come back. */
	readonly reorgs: number;
}

export interface Emission {
	/** The hash of its block. */
	readonly block: string;
	readonly json: ChainObject;
	readonly change: 'new' | 'replacing' | 'removed';
}

export interface Advance {
	readonly cursor: Cursor;
	readonly emissions: readonly Emission[];
}

/** Older blocks count as settled. */
export const CHECKPOINTS_KEPT = 64;
const EMITTED_IN_MEMORY = 20_000;
const EMITTED_IN_STORAGE = 500;

export function startAt({ number, hash }: BlockRef): Cursor {
	const next = number + 1;
	return { checkpoints: [{ number, hash }], floor: next, next, highest: number, reorgs: 0 };
}

/** Begins at a block that was not read yet. */
export function startFrom(number: number): Cursor {
	return {
		checkpoints: [],
		floor: number,
		next: number,
		highest: Math.max(number - 1, 0),
		reorgs: 0,
	};
}

/** What lies in n8n's database must stay small. */
export function lean(cursor: Cursor): Cursor {
	return { ...cursor, checkpoints: trimmed(cursor.checkpoints, EMITTED_IN_STORAGE) };
}

export function isKnown({ checkpoints }: Cursor, { number, hash }: BlockRef): boolean {
	return checkpoints.some((checkpoint) => checkpoint.number === number && checkpoint.hash === hash);
}

/** Goes on to a block, with what happened from the next one up to it. */
export function extend(
	{ checkpoints, floor, highest, reorgs }: Cursor,
	end: BlockRef,
	events: readonly ChainEvent[],
	emitsRemovals: boolean,
): Advance {
	const all = [...checkpoints, ...checkpointsOf(events, end, emitsRemovals)];
	const dropped = all.at(-CHECKPOINTS_KEPT - 1);
	return {
		cursor: {
			checkpoints: trimmed(all, EMITTED_IN_MEMORY),
			floor: dropped ? dropped.number + 1 : floor,
			next: end.number + 1,
			highest: Math.max(highest, end.number),
			reorgs,
		},
		emissions: events.map(({ block, json }) => ({
			block: block.hash,
			json,
			change: block.number <= highest ? 'replacing' : 'new',
		})),
	};
}

/**
 * Goes back to the first so many checkpoints: the blocks of the others have left the chain. They may hold what was emitted
 * before the user chose another event.
 */
export function goBack(cursor: Cursor, standing: number, emitsRemovals: boolean): Advance {
	const { checkpoints, floor, reorgs } = cursor;
	const fallen = checkpoints.slice(standing).reverse();
	if (fallen.length === 0) return { cursor, emissions: [] };
	const last = checkpoints[standing - 1];
	const next = last ? last.number + 1 : floor;
	return {
		cursor: { ...cursor, checkpoints: checkpoints.slice(0, standing), next, reorgs: reorgs + 1 },
		emissions: emitsRemovals ? fallen.flatMap(removed) : [],
	};
}

/** What was emitted of a block, the latest first. */
function removed({ hash, emitted = [] }: Checkpoint): Emission[] {
	return [...emitted].reverse().map((json) => ({ block: hash, json, change: 'removed' }));
}

function checkpointsOf(
	events: readonly ChainEvent[],
	end: BlockRef,
	emitsRemovals: boolean,
): Checkpoint[] {
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
		const all = emitsRemovals ? emitted.get(hash) : undefined;
		return all ? { number, hash, emitted: all } : { number, hash };
	});
}

/** Old blocks are settled, and of the others there is room for so much that was emitted. */
function trimmed(checkpoints: readonly Checkpoint[], most: number): Checkpoint[] {
	let room = most;
	const newestFirst = checkpoints.slice(-CHECKPOINTS_KEPT).reverse();
	return newestFirst
		.map((checkpoint) => {
			room -= checkpoint.emitted?.length ?? 0;
			return room >= 0 ? checkpoint : { number: checkpoint.number, hash: checkpoint.hash };
		})
		.reverse();
}

/** How far a trigger has come, on which chain, and with what it watched. Plain JSON, because n8n keeps it. */
export interface SavedState {
	readonly chain: ChainId;
	/** A fingerprint of what was chosen in the form: what comes after a change is not the rest of what was before. */
	readonly watched: string;
	readonly cursor: Cursor;
}

/** A chain whose first block is not known, and that ends so far below, was begun anew; nodes lag behind by less. */
const RESTART = 1_000;

/** A fingerprint of what was chosen. In lists neither the order counts, nor letter case, nor what is said twice. */
export function fingerprint(...choices: ReadonlyArray<string | readonly string[]>): string {
	const plain = choices.map((one) =>
		typeof one === 'string' ? one : [...new Set(one.map((name) => name.toLowerCase()))].sort(),
	);
	return createHash('sha256').update(JSON.stringify(plain)).digest('hex');
}

/** The same chain as before, with its first block if either knows it: a node may not tell it just now. */
export function nowKnown(before: ChainId, present: ChainId): ChainId {
	return present.first ? present : before;
}

/** Whether the chain is still the one that the position belongs to. A node that is behind is waited for. */
export function isOnChain(
	{ chain, cursor }: SavedState,
	present: ChainId,
	head: BlockRef,
): boolean {
	if (chain.id !== present.id) return false;
	if (chain.first && present.first) return chain.first === present.first;
	// Its first block is about to come, and will tell.
	if (chain.first && head.number < 1) return true;
	return head.number >= cursor.highest - RESTART;
}

/** What n8n is given to keep: it watches what lies there, so it gets a copy. */
export function forStorage(saved: SavedState): SavedState {
	return deepCopy({ ...saved, cursor: lean(saved.cursor) } as never) as SavedState;
}

/** A copy of what n8n has kept, if it is whole: workflows come from elsewhere too, with whatever lies in them. */
export function savedStateIn(stored: unknown): SavedState | undefined {
	const isWhole =
		isRecord(stored) &&
		isRecord(stored.chain) &&
		typeof stored.watched === 'string' &&
		isRecord(stored.cursor) &&
		isPosition(stored.cursor);
	return isWhole ? (deepCopy(stored) as unknown as SavedState) : undefined;
}

function isPosition({ checkpoints, floor, next, highest }: Record<string, unknown>): boolean {
	if (!Array.isArray(checkpoints) || !checkpoints.every(isCheckpoint)) return false;
	const last = checkpoints.at(-1);
	return isHeight(floor) && isHeight(highest) && next === (last ? last.number + 1 : floor);
}

function isCheckpoint(checkpoint: unknown): checkpoint is BlockRef {
	if (!isRecord(checkpoint) || typeof checkpoint.hash !== 'string') return false;
	const { emitted = [] } = checkpoint;
	return isHeight(checkpoint.number) && Array.isArray(emitted) && emitted.every(isRecord);
}

function isHeight(given: unknown): given is number {
	return Number.isSafeInteger(given) && Number(given) >= 0;
}
