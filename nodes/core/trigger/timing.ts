import { doubled, withJitter } from '../pacing/retry';

/** What all triggers that listen take their time for, in milliseconds. */
export interface TriggerTiming {
	readonly firstBackoff: number;
	readonly longestBackoff: number;
	/** What lasted so long was a good connection: the next attempt comes soon. */
	readonly goodLife: number;
	/** An outage of this length is reported; services close idle connections now and then. */
	readonly outage: number;
	/** What comes within this time of something else starts one execution. */
	readonly gathering: number;
}

export const USUAL_TIMING: TriggerTiming = {
	firstBackoff: 500,
	longestBackoff: 15_000,
	goodLife: 3_000,
	outage: 30_000,
	gathering: 100,
};

/** How long to wait before the next attempt. */
export function backoff(attempt: number, timing: TriggerTiming): number {
	return withJitter(doubled(attempt, timing.firstBackoff, timing.longestBackoff));
}
