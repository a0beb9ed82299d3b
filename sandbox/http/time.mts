import { setTimeout as sleep } from 'node:timers/promises';

/** Returns the milliseconds since 1970 with fractions. The time never goes back. */
export const getNow = () => performance.timeOrigin + performance.now();

/** Waits. The timer does not keep the process of a stopped sandbox alive. */
export async function pause(ms: number): Promise<void> {
	if (ms > 0) await sleep(ms, undefined, { ref: false });
}

/**
 * Formats a duration as Go prints it: 870µs, 560.27ms, 1.5s, 1m30s. It is rounded up, so that a client waits long
 * enough.
 */
export function formatGoDuration(ms: number): string {
	if (ms < 1) return `${Math.max(1, Math.ceil(ms * 1000))}µs`;
	if (ms < 1000) return `${roundUp(ms)}ms`;
	if (ms < 60_000) return `${roundUp(ms / 1000)}s`;
	return `${Math.floor(ms / 60_000)}m${roundUp((ms % 60_000) / 1000)}s`;
}

const roundUp = (value: number) => Math.ceil(value * 100) / 100;
