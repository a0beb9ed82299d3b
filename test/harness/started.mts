/**
 * Starts something before the tests of a file, or of a group in it, and stops it after them. Its fields are there when
 * the tests begin.
 */
export function startForTests<Started extends { readonly stop: () => unknown }>(
	start: () => Promise<Started>,
): Started {
	const started = {} as Started;
	beforeAll(async () => void Object.assign(started, await start()));
	afterAll(async () => void (await started.stop()));
	return started;
}
