/**
 * What comes of a call that must wait until its time is over: it has little, and more if that did not suffice even
 * for the way to where it waits, on a busy machine.
 */
export async function inTime<Found>(
	run: (timeout: number) => Promise<Found>,
	isWaitedFor: (found: Found) => boolean,
	little = 2_000,
): Promise<Found> {
	const found = await run(little);
	return isWaitedFor(found) ? found : await run(8 * little);
}
