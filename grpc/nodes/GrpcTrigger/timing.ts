import type { Backoff } from '../../../nodes/core/trigger/outage';

/** In milliseconds. */
export interface Timing extends Backoff {
	/** How long the service may take to describe itself. */
	readonly describing: number;
	/** A service that neither takes nor refuses a stream within so long has mostly taken it. */
	readonly opening: number;
	/** After so long without a message, the service is asked for a sign of life. */
	readonly silence: number;
	/** How long that may take before the connection counts as lost. */
	readonly patience: number;
	/** A stream that lasted so long was a good one: the next attempt comes soon. */
	readonly goodLife: number;
	/** An outage of this length is reported. */
	readonly outage: number;
	/** What comes within this time of something else starts one execution. */
	readonly gathering: number;
}

export const USUAL: Timing = {
	describing: 10_000,
	opening: 3_000,
	silence: 60_000,
	patience: 30_000,
	firstBackoff: 500,
	longestBackoff: 15_000,
	goodLife: 3_000,
	outage: 30_000,
	gathering: 100,
};
