/**
 * Returns the outcome of a call that must wait until its time is over: it gets little time, and more if that was not
 * even enough to reach the place where it waits, on a busy machine.
 */
export async function inTime<Found>(
	run: (timeout: number) => Promise<Found>,
	isWaitedFor: (found: Found) => boolean,
): Promise<Found> {
	for (const little of [500, 4_000]) {
		const found = await run(little);
		if (isWaitedFor(found)) return found;
	}
	return await run(32_000);
}
