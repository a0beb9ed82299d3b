import type { Timing } from '../../../../nodes/EvmRpcTrigger/triggerEvent';

/** For what no test waits for: none gives up first, however slow the machine. */
export const AMPLE = 300_000;

const QUICK = {
	opening: AMPLE,
	checking: 20,
	idle: 250,
	requestTimeout: AMPLE,
	firstBackoff: 20,
	longestBackoff: 250,
	stable: 100,
	outage: AMPLE,
	renewal: 100,
	gathering: 20,
	pause: 20,
	longestPause: 1_000,
	storing: 50,
	settling: AMPLE,
	failing: AMPLE,
} satisfies Timing;

/** The times of the triggers of a test file. A change reaches those that are active. */
export const timing: { -readonly [Time in keyof Timing]: number } = { ...QUICK };

/**
 * The times of the trigger, short where it waits. Where it gives up, or reports, a test about that asks for a short
 * time itself: a busy machine must not look like a dead node.
 */
export function hurry(changes: Partial<Timing> = {}): void {
	Object.assign(timing, QUICK, changes);
}
