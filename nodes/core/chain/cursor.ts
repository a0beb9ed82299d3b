import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import type { BlockRef, ChainIdentity } from './blocks';
import type { JsonObject } from '../values/json';
import { isRecord } from '../values/parse';

/** An event in a block, as the user will see it. */
export interface ChainEvent {
	readonly block: BlockRef;
	readonly json: JsonObject;
}

/** A block that was read, and its emitted items, which are removed again if the block is reorged out. */
interface Checkpoint extends BlockRef {
	readonly emitted?: readonly JsonObject[];
}

/** How far the chain was read. Plain JSON, because n8n stores it. */
export interface Cursor {
	/** The latest blocks read, oldest first: those with events, and the end of each range. */
	readonly checkpoints: readonly Checkpoint[];
	/** Reading starts here again if every checkpoint was reorged out. Everything below this block is final. */
	readonly floor: number;
	/** The next block to read. */
	readonly next: number;
	/** The highest block that was ever read. A new block at or below this height replaces another. */
	readonly highest: number;
	/** Counts reorgs: a block that was reorged out may come back. */
	readonly reorgs: number;
	/** The state of the proofs that no log is missing, once there is any. It is short JSON. */
	readonly proofs?: unknown;
}

export interface Emission {
	/** The hash of its block. */
	readonly block: string;
	readonly json: JsonObject;
	readonly change: 'new' | 'replacing' | 'removed';
}

export interface CursorAdvance {
	readonly cursor: Cursor;
	readonly emissions: readonly Emission[];
}

/** Blocks that are older than these are final. */
export const MAX_CHECKPOINTS = 64;
const MAX_EMITTED_IN_MEMORY = 20_000;
const MAX_EMITTED_IN_STORAGE = 500;

/** Starts after this block. */
export function createCursorAfter({ number, hash }: BlockRef): Cursor {
	const next = number + 1;
	return { checkpoints: [{ number, hash }], floor: next, next, highest: number, reorgs: 0 };
}

/** The block to start with, which was not read yet. */
export function createCursorFrom(number: number): Cursor {
	return {
		checkpoints: [],
		floor: number,
		next: number,
		highest: Math.max(number - 1, 0),
		reorgs: 0,
	};
}

/** Starts with this block: at most the last block, or the block after it. */
export function createCursorAt(number: number, last: BlockRef): Cursor {
	return number > last.number ? createCursorAfter(last) : createCursorFrom(number);
}

/** n8n's database stores it with each execution. */
export function trimForStorage(cursor: Cursor): Cursor {
	return { ...cursor, checkpoints: trimCheckpoints(cursor.checkpoints, MAX_EMITTED_IN_STORAGE) };
}

export function hasBlock({ checkpoints }: Cursor, { number, hash }: BlockRef): boolean {
	return checkpoints.some((checkpoint) => checkpoint.number === number && checkpoint.hash === hash);
}

/** Advances to a block, with the events up to it. */
export function extendCursor(
	{ checkpoints, floor, highest, reorgs }: Cursor,
	end: BlockRef,
	events: readonly ChainEvent[],
	emitsRemovals: boolean,
): CursorAdvance {
	const all = [...checkpoints, ...buildCheckpoints(events, end, emitsRemovals)];
	const dropped = all.at(-MAX_CHECKPOINTS - 1);
	return {
		cursor: {
			checkpoints: trimCheckpoints(all, MAX_EMITTED_IN_MEMORY),
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
 * Rolls back to the first `canonical` checkpoints: the others were reorged out. They may hold events that were emitted
 * before the user chose another event.
 */
export function rollBack(cursor: Cursor, canonical: number, emitsRemovals: boolean): CursorAdvance {
	const { checkpoints, floor, reorgs } = cursor;
	const orphaned = checkpoints.slice(canonical).reverse();
	if (orphaned.length === 0) return { cursor, emissions: [] };
	const last = checkpoints[canonical - 1];
	const next = last ? last.number + 1 : floor;
	return {
		cursor: { ...cursor, checkpoints: checkpoints.slice(0, canonical), next, reorgs: reorgs + 1 },
		emissions: emitsRemovals ? orphaned.flatMap(buildRemovals) : [],
	};
}

/** The latest come first. */
function buildRemovals({ hash, emitted = [] }: Checkpoint): Emission[] {
	return [...emitted].reverse().map((json) => ({ block: hash, json, change: 'removed' }));
}

/** Formats an item as the user sees it. */
export function formatEmission(
	{ json, change }: Emission,
	{ emitsRemovals }: { readonly emitsRemovals: boolean },
): JsonObject {
	return emitsRemovals
		? { ...json, removed: change === 'removed' }
		: { ...json, reorganized: change === 'replacing' };
}

function buildCheckpoints(
	events: readonly ChainEvent[],
	end: BlockRef,
	emitsRemovals: boolean,
): Checkpoint[] {
	const emitted = new Map<string, JsonObject[]>();
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

/** Drops final blocks, and the emitted events of the oldest of the others. */
function trimCheckpoints(checkpoints: readonly Checkpoint[], most: number): Checkpoint[] {
	let room = most;
	const newestFirst = checkpoints.slice(-MAX_CHECKPOINTS).reverse();
	return newestFirst
		.map((checkpoint) => {
			room -= checkpoint.emitted?.length ?? 0;
			return room >= 0 ? checkpoint : { number: checkpoint.number, hash: checkpoint.hash };
		})
		.reverse();
}

/** The position on a chain, and which chain it is. */
export interface ChainPosition {
	readonly chain: ChainIdentity;
	readonly cursor: Cursor;
}

/** A position as a trigger saves it in n8n's static data: plain JSON. */
export interface SavedCursor extends ChainPosition {
	/** A fingerprint of the user's choices. After a change, the trigger starts at the head. */
	readonly watched: string;
}

/** Nodes are behind by less than this. If a chain of unknown first block ends so far below, it was reset. */
const MAX_NODE_LAG_BLOCKS = 1_000;

/** Order, letter case and duplicates in a list make no difference. */
export function buildFingerprint(choices: ReadonlyArray<string | readonly string[]>): string {
	const plain = choices.map((one) =>
		typeof one === 'string' ? one : [...new Set(one.map((name) => name.toLowerCase()))].sort(),
	);
	return createHash('sha256').update(JSON.stringify(plain)).digest('hex');
}

/** Keeps the first block if one of the two has it, because a pruned node does not have it. */
export function mergeChainIdentity(before: ChainIdentity, present: ChainIdentity): ChainIdentity {
	return present.first ? present : before;
}

/** Whether the cursor belongs to this chain. A node that is behind still serves the same chain. */
export function belongsToChain(
	{ chain, cursor }: Pick<ChainPosition, 'chain'> & { readonly cursor: Pick<Cursor, 'highest'> },
	present: ChainIdentity,
	head: Pick<BlockRef, 'number'>,
): boolean {
	if (chain.id !== present.id) return false;
	if (chain.first && present.first) return chain.first === present.first;
	// The first block is yet to come.
	if (chain.first && head.number < 1) return true;
	return head.number >= cursor.highest - MAX_NODE_LAG_BLOCKS;
}

/** A copy, because n8n observes its static data. */
export function copyForStorage(saved: SavedCursor): SavedCursor {
	return deepCopy({ ...saved, cursor: trimForStorage(saved.cursor) });
}

/**
 * A validated copy, because imported workflows may contain anything. n8n's static data are proxies, which `structuredClone`
 * refuses.
 */
export function parseSavedCursor(stored: unknown): SavedCursor | undefined {
	const isWhole =
		isRecord(stored) &&
		isRecord(stored.chain) &&
		typeof stored.chain.id === 'string' &&
		typeof stored.watched === 'string' &&
		isRecord(stored.cursor) &&
		isCursor(stored.cursor);
	return isWhole ? (deepCopy(stored) as unknown as SavedCursor) : undefined;
}

function isCursor(cursor: Record<string, unknown>): boolean {
	const { checkpoints, floor, next, highest, reorgs } = cursor;
	if (!Array.isArray(checkpoints) || !checkpoints.every(isCheckpoint)) return false;
	const last = checkpoints.at(-1);
	if (![floor, highest, reorgs].every(isBlockNumber)) return false;
	return next === (last ? last.number + 1 : floor);
}

function isCheckpoint(checkpoint: unknown): checkpoint is BlockRef {
	if (!isRecord(checkpoint) || typeof checkpoint.hash !== 'string') return false;
	const { emitted = [] } = checkpoint;
	return isBlockNumber(checkpoint.number) && Array.isArray(emitted) && emitted.every(isRecord);
}

function isBlockNumber(given: unknown): given is number {
	return Number.isSafeInteger(given) && Number(given) >= 0;
}
