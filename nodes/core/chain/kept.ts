import { deepCopy } from 'n8n-workflow';
import { isRecord } from '../json';
import type { Place, Position } from './position';

/** How far a trigger has come, and on which chain. Plain JSON, because n8n keeps it. */
export interface Kept {
	readonly chain: string;
	readonly position: Position;
}

/** A chain that ends so far below the last block was begun anew; nodes lag behind by less. */
const RESTART = 1_000;

/** Whether the chain is still the one that the position belongs to. */
export function isOnChain({ chain, position }: Kept, present: string, head: Place): boolean {
	return chain === present && head.number >= position.highest - RESTART;
}

/** A copy of what n8n has kept, if it is whole: workflows come from elsewhere too, with whatever lies in them. */
export function keptIn(stored: unknown): Kept | undefined {
	const isWhole = isRecord(stored) && isRecord(stored.position) && isPosition(stored.position);
	return isWhole ? (deepCopy(stored) as unknown as Kept) : undefined;
}

function isPosition({ marks, floor, next, highest }: Record<string, unknown>): boolean {
	if (!Array.isArray(marks) || !marks.every(isMark)) return false;
	const last = marks.at(-1);
	return isHeight(floor) && isHeight(highest) && next === (last ? last.number + 1 : floor);
}

function isMark(mark: unknown): mark is Place {
	if (!isRecord(mark) || typeof mark.hash !== 'string') return false;
	const { told = [] } = mark;
	return isHeight(mark.number) && Array.isArray(told) && told.every(isRecord);
}

function isHeight(given: unknown): given is number {
	return Number.isSafeInteger(given) && Number(given) >= 0;
}
