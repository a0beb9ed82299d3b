import { setTimeout as sleep } from 'node:timers/promises';

/** Unreferenced: a pause must not keep a stopped sandbox alive. */
export async function pause(ms: number): Promise<void> {
	if (ms > 0) await sleep(ms, undefined, { ref: false });
}
