import { type TriggerTiming, USUAL_TIMING } from '../../../nodes/core';

/** In milliseconds. */
export interface Timing extends TriggerTiming {
	/** How long the service may take to describe itself. */
	readonly describeTimeout: number;
	/** A service that neither takes nor refuses a stream within so long has mostly taken it. */
	readonly openTimeout: number;
	/** After so long without a message, the service is asked for a sign of life. */
	readonly keepaliveTime: number;
	/** How long that may take before the connection counts as lost. */
	readonly keepaliveTimeout: number;
}

export const DEFAULT_TIMING: Timing = {
	...USUAL_TIMING,
	describeTimeout: 10_000,
	openTimeout: 3_000,
	keepaliveTime: 60_000,
	keepaliveTimeout: 30_000,
};
