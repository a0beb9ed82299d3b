import { timing } from '../../../nodes/EvmTrigger/timing';

const QUICK = {
	opening: 400,
	look: 20,
	silence: 250,
	patience: 400,
	firstBackoff: 20,
	longestBackoff: 250,
	goodLife: 100,
	outage: 700,
	renewal: 100,
	gathering: 20,
	pause: 20,
	longestPause: 1_000,
} satisfies typeof timing;

const REAL = { ...timing };

/** All times of the trigger, so short that an outage of a minute takes about a second. */
export function hurry(changes: Partial<typeof timing> = {}): void {
	Object.assign(timing, QUICK, changes);
}

/** All times as users have them. */
export function takeTime(): void {
	Object.assign(timing, REAL);
}
