import { createHash } from 'crypto';
import { deepCopy } from 'n8n-workflow';
import { isRecord } from '../../values/parseJson';
import { lean, type Cursor } from './cursor';
import type { BlockRef, ChainId } from '../header';

/** How far a trigger has come, on which chain, and with what it watched. Plain JSON, because n8n keeps it. */
export interface SavedState {
	readonly chain: ChainId;
	/** A mark of what was chosen in the form: what comes after a change is not the rest of what was before. */
	readonly watched: string;
	readonly cursor: Cursor;
}

/** A chain whose first block is not known, and that ends so far below, was begun anew; nodes lag behind by less. */
const RESTART = 1_000;

/** A mark of what was chosen. In lists neither the order counts, nor letter case, nor what is said twice. */
export function watchedBy(...choices: ReadonlyArray<string | readonly string[]>): string {
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

function isPosition({ marks, floor, next, highest }: Record<string, unknown>): boolean {
	if (!Array.isArray(marks) || !marks.every(isMark)) return false;
	const last = marks.at(-1);
	return isHeight(floor) && isHeight(highest) && next === (last ? last.number + 1 : floor);
}

function isMark(mark: unknown): mark is BlockRef {
	if (!isRecord(mark) || typeof mark.hash !== 'string') return false;
	const { emitted = [] } = mark;
	return isHeight(mark.number) && Array.isArray(emitted) && emitted.every(isRecord);
}

function isHeight(given: unknown): given is number {
	return Number.isSafeInteger(given) && Number(given) >= 0;
}
