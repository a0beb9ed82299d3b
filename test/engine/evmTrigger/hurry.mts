import { timing } from '../../../nodes/EvmTrigger/timing';

/** For what no test waits for: none gives up first, however slow the machine. */
export const AMPLE = 300_000;

const QUICK = {
	opening: AMPLE,
	look: 20,
	silence: 250,
	patience: AMPLE,
	firstBackoff: 20,
	longestBackoff: 250,
	goodLife: 100,
	outage: AMPLE,
	renewal: 100,
	gathering: 20,
	pause: 20,
	longestPause: 1_000,
} satisfies typeof timing;

/**
 * The times of the trigger, short where it waits. Where it gives up, or reports, a test about that asks for a short
 * time itself: a busy machine must not look like a dead node.
 */
export function hurry(changes: Partial<typeof timing> = {}): void {
	Object.assign(timing, QUICK, changes);
}
