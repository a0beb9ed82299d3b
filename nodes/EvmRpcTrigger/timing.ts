import { USUAL_TIMING, type TriggerTiming } from '../core/trigger/listening';

/** In milliseconds. */
export interface Timing extends TriggerTiming {
	/** How long a connection may take to open. */
	readonly opening: number;
	/** How often to see whether the connection lives. */
	readonly checking: number;
	/** After so long without a message, the node is asked for a sign of life. */
	readonly silence: number;
	/** How long an answer may take before the connection counts as dead. */
	readonly patience: number;
	/** After a failure the connection rests at least so long before the chain is read again, and at most so long. */
	readonly pause: number;
	readonly longestPause: number;
	/** After so long without a pending transaction, the subscription is renewed; most chains are never so quiet. */
	readonly renewal: number;
	/** n8n has stored an execution within so long, or it has mostly said that it could not. */
	readonly storing: number;
	/** It has certainly said so within so long. */
	readonly failing: number;
}

export const USUAL: Timing = {
	...USUAL_TIMING,
	opening: 10_000,
	checking: 5_000,
	silence: 20_000,
	patience: 15_000,
	pause: 1_000,
	longestPause: 60_000,
	renewal: 300_000,
	storing: 3_000,
	failing: 60_000,
};
