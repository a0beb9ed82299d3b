import { type TriggerTiming, USUAL_TIMING } from '../../../nodes/core';

/** In milliseconds. */
export interface Timing extends TriggerTiming {
	/** How long the service may take to describe itself. */
	readonly describing: number;
	/** A service that neither takes nor refuses a stream within so long has mostly taken it. */
	readonly opening: number;
	/** After so long without a message, the service is asked for a sign of life. */
	readonly silence: number;
	/** How long that may take before the connection counts as lost. */
	readonly patience: number;
}

export const USUAL: Timing = {
	...USUAL_TIMING,
	describing: 10_000,
	opening: 3_000,
	silence: 60_000,
	patience: 30_000,
};
