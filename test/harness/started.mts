/**
 * Starts something before the tests of a file or a group, and stops it after them.
 * The returned object has the fields of the started thing when the tests begin.
 */
export function startForTests<Started extends { readonly stop: () => unknown }>(
	start: () => Promise<Started>,
): Started {
	const started = {} as Started;
	beforeAll(async () => void Object.assign(started, await start()));
	afterAll(async () => void (await started.stop()));
	return started;
}
