import type { SocketTriggerTiming } from '../../../../nodes/EvmRpcTrigger/listener';

/** A time limit that is never reached in a test, however slow the machine is. In milliseconds. */
export const AMPLE = 300_000;

const SHORT_TIMES = {
	openingMs: AMPLE,
	checkIntervalMs: 20,
	idleMs: 250,
	requestTimeoutMs: AMPLE,
	firstBackoffMs: 20,
	maxBackoffMs: 250,
	stableMs: 100,
	outageMs: AMPLE,
	renewalMs: 100,
	gatheringMs: 20,
	pauseMs: 20,
	maxPauseMs: 1_000,
	storingMs: 50,
	settlingMs: AMPLE,
	failingMs: AMPLE,
} satisfies SocketTriggerTiming;

/** The timing of all triggers in a test file. A change also affects active triggers. */
export const timing: { -readonly [Time in keyof SocketTriggerTiming]: number } = { ...SHORT_TIMES };

/**
 * Sets the trigger's timing, with short waits. A test about time limits sets its own short limits: a busy machine
 * must not look like a dead node.
 */
export function shortenTimes(changes: Partial<SocketTriggerTiming> = {}): void {
	Object.assign(timing, SHORT_TIMES, changes);
}
