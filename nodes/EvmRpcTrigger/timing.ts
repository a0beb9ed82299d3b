import { USUAL_TIMING, type TriggerTiming } from '../core/trigger/listen';

/** In milliseconds. */
export interface Timing extends TriggerTiming {
	/** Handshake timeout. */
	readonly opening: number;
	/** Interval of the connection's health check. */
	readonly checking: number;
	/** Idle for so long: ping. */
	readonly idle: number;
	/** Unanswered for so long: the connection is dead. */
	readonly requestTimeout: number;
	/** Backoff of reading the chain, and of executions that n8n could not store. */
	readonly pause: number;
	readonly longestPause: number;
	/** No pending transaction for so long: resubscribe; most chains are never so quiet. */
	readonly renewal: number;
	/** Within so long n8n mostly reports that it could not store an execution. */
	readonly storing: number;
	/** Within so long it certainly does. */
	readonly failing: number;
}

export const USUAL: Timing = {
	...USUAL_TIMING,
	opening: 10_000,
	checking: 5_000,
	idle: 20_000,
	requestTimeout: 15_000,
	pause: 1_000,
	longestPause: 60_000,
	renewal: 300_000,
	storing: 3_000,
	failing: 60_000,
};
