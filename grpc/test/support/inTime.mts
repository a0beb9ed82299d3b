/**
 * Returns the outcome of a call that should wait for an event until its deadline. The first deadline is short. On a
 * busy machine, it may pass before the call begins to wait, so further tries get more time.
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
