import { deepCopy, type IDataObject, type ITriggerFunctions } from 'n8n-workflow';
import type { Kept } from '../core/chain/kept';
import type { Place } from '../core/chain/position';
import { isRecord } from '../core/json';

export interface Memory {
	load(): Kept | undefined;
	/** n8n stores it with the next execution that is started, and when a workflow has been activated. */
	save(kept: Kept): void;
}

/** A workflow that was switched on by hand begins at the head; after a restart of n8n it goes on. */
const GOES_ON = ['init', 'leadershipChange', 'update'];

export function memoryOf(context: ITriggerFunctions): Memory {
	if (context.getMode() === 'manual') return { load: () => undefined, save: () => {} };
	const data = context.getWorkflowStaticData('node');
	return {
		load: () => (GOES_ON.includes(context.getActivationMode()) ? asKept(data.kept) : undefined),
		// n8n watches what lies in there, so it gets a copy.
		save: (kept) => (data.kept = deepCopy(kept) as unknown as IDataObject),
	};
}

/** Workflows come from elsewhere too, with whatever lies in them. */
function asKept(stored: unknown): Kept | undefined {
	const isWhole = isRecord(stored) && isRecord(stored.position) && isPosition(stored.position);
	return isWhole ? (deepCopy(stored) as unknown as Kept) : undefined;
}

function isPosition({ marks, floor, next, highest }: Record<string, unknown>): boolean {
	if (!Array.isArray(marks) || !marks.every(isMark)) return false;
	const last = marks.at(-1);
	return last !== undefined && next === last.number + 1 && isHeight(floor) && isHeight(highest);
}

function isMark(mark: unknown): mark is Place {
	if (!isRecord(mark) || typeof mark.hash !== 'string') return false;
	const { told = [] } = mark;
	return isHeight(mark.number) && Array.isArray(told) && told.every(isRecord);
}

function isHeight(given: unknown): given is number {
	return Number.isSafeInteger(given) && Number(given) >= 0;
}
