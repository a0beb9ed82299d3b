import { deepCopy } from 'n8n-workflow';
import type { ChainObject } from '../core/chain/objects';
import { isRecord } from '../core/values/read';

/** An execution that n8n may not have stored. Plain JSON, because n8n's static data holds it. */
export interface UnderWay {
	readonly key: string;
	/** When it was started first. */
	readonly at: number;
	readonly items: readonly ChainObject[];
}

/** What is saved with the position: n8n stores that before an execution, and may be killed in between. */
export interface Starts {
	readonly underWay: readonly UnderWay[];
	/** The key of an execution that has succeeded: by it can be seen whether n8n keeps those. */
	readonly succeeded?: string;
}

export const NO_STARTS: Starts = { underWay: [] };

/** n8n deletes old executions, and their keys with them, but none within an hour. */
const KEPT_FOR = 3_600_000;

/** Those whose executions n8n still has, if it has stored them. */
export function mayStartAgain(underWay: readonly UnderWay[]): readonly UnderWay[] {
	return underWay.filter(({ at }) => Date.now() - at < KEPT_FOR);
}

/** A validated copy: imported workflows may bring anything. */
export function startsIn(stored: unknown): Starts {
	if (!isRecord(stored) || !Array.isArray(stored.underWay)) return NO_STARTS;
	const { succeeded } = stored;
	return {
		underWay: deepCopy(stored.underWay.filter(isUnderWay)),
		...(typeof succeeded === 'string' && { succeeded }),
	};
}

function isUnderWay(one: unknown): one is UnderWay {
	if (!isRecord(one) || typeof one.key !== 'string' || typeof one.at !== 'number') return false;
	return Array.isArray(one.items) && one.items.every(isRecord);
}
