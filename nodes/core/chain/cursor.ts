import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import type { BlockRef, ChainIdentity } from './blocks';
import type { JsonObject } from '../values/json';
import { isRecord } from '../values/parse';

/** An event in a block. `json` is the item that the user sees. */
export interface ChainEvent {
	readonly block: BlockRef;
	readonly json: JsonObject;
}

/**
 * A block that was read, with its emitted items. If a reorganization drops the block, its items are emitted again as
 * removed.
 */
interface Checkpoint extends BlockRef {
	readonly emitted?: readonly JsonObject[];
}

/** How far the chain was read. It is plain JSON, because n8n stores it. */
export interface Cursor {
	/** The latest blocks that were read, oldest first: blocks with events, and the last block of each range. */
	readonly checkpoints: readonly Checkpoint[];
	/**
	 * If every checkpoint was dropped by reorganizations, reading starts again at this block. All blocks below it are
	 * final.
	 */
	readonly floor: number;
	/** The next block to read. */
	readonly next: number;
	/** The highest block ever read. If a newly read block is not above it, the block replaces an earlier block. */
	readonly highest: number;
	/** The number of reorganizations so far. A removed block may return later, and the number tells the two apart. */
	readonly reorgs: number;
	/**
	 * What is known about whether the node has returned all logs, as short JSON. It is left out until something is known.
	 */
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

/** How many checkpoints are kept. Older blocks count as final. */
export const MAX_CHECKPOINTS = 64;
const MAX_EMITTED_IN_MEMORY = 20_000;
const MAX_EMITTED_IN_STORAGE = 500;

/** Starts after this block. */
export function createCursorAfter({ number, hash }: BlockRef): Cursor {
	const next = number + 1;
	return { checkpoints: [{ number, hash }], floor: next, next, highest: number, reorgs: 0 };
}

/** Creates a cursor that starts with this block. The block has not been read yet. */
export function createCursorFrom(number: number): Cursor {
	return {
		checkpoints: [],
		floor: number,
		next: number,
		highest: Math.max(number - 1, 0),
		reorgs: 0,
	};
}

/**
 * Creates a cursor that starts with this block. If the block is not on the chain yet, the cursor starts after the
 * last block.
 */
export function createCursorAt(number: number, last: BlockRef): Cursor {
	return number > last.number ? createCursorAfter(last) : createCursorFrom(number);
}

/** Shortens the cursor, because n8n's database stores it with each execution. */
export function trimForStorage(cursor: Cursor): Cursor {
	return { ...cursor, checkpoints: trimCheckpoints(cursor.checkpoints, MAX_EMITTED_IN_STORAGE) };
}

export function hasBlock({ checkpoints }: Cursor, { number, hash }: BlockRef): boolean {
	return checkpoints.some((checkpoint) => checkpoint.number === number && checkpoint.hash === hash);
}

/** Advances the cursor to the block `end`, and returns the events up to this block, which are then emitted. */
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
 * Keeps only the first `canonical` checkpoints, because a reorganization has removed the later blocks. With
 * `emitsRemovals`, the events of the removed blocks are emitted again as removed, even if the user has since deselected
 * their type.
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

/**
 * Drops the oldest checkpoints. If too many emitted events remain, the oldest of the remaining checkpoints lose their
 * events.
 */
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

/** A position on a chain, with the identity of the chain. */
export interface ChainPosition {
	readonly chain: ChainIdentity;
	readonly cursor: Cursor;
}

/** A position as a trigger saves it in n8n's static data. It is plain JSON. */
export interface SavedCursor extends ChainPosition {
	/** A fingerprint of the user's choices. After a change, the trigger begins again at the latest block. */
	readonly watched: string;
}

/**
 * The blocks by which a node may lag behind the highest block that was read. If it is further behind and the first
 * block is unknown, the chain was reset.
 */
const MAX_NODE_LAG_BLOCKS = 1_000;

/** Builds a fingerprint of the user's choices. In lists, the order, letter case and duplicates make no difference. */
export function buildFingerprint(choices: ReadonlyArray<string | readonly string[]>): string {
	const plain = choices.map((one) =>
		typeof one === 'string' ? one : [...new Set(one.map((name) => name.toLowerCase()))].sort(),
	);
	return createHash('sha256').update(JSON.stringify(plain)).digest('hex');
}

/**
 * Returns the identity that has the hash of the first block. A node that has deleted old blocks does not know this
 * hash.
 */
export function mergeChainIdentity(before: ChainIdentity, present: ChainIdentity): ChainIdentity {
	return present.first ? present : before;
}

/** Whether the cursor belongs to the chain that the node serves now. A lagging node can still serve the same chain. */
export function belongsToChain(
	{ chain, cursor }: Pick<ChainPosition, 'chain'> & { readonly cursor: Pick<Cursor, 'highest'> },
	present: ChainIdentity,
	head: Pick<BlockRef, 'number'>,
): boolean {
	if (chain.id !== present.id) return false;
	if (chain.first && present.first) return chain.first === present.first;
	// The node has no block 1 yet, so nothing shows that this is another chain.
	if (chain.first && head.number < 1) return true;
	return head.number >= cursor.highest - MAX_NODE_LAG_BLOCKS;
}

/** Trims the position, and copies it, because n8n observes objects in its static data. */
export function copyForStorage(saved: SavedCursor): SavedCursor {
	return deepCopy({ ...saved, cursor: trimForStorage(saved.cursor) });
}

/**
 * Checks and copies a stored position, because imported workflows may contain anything. Static data of n8n are
 * proxies, which `structuredClone` refuses.
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
