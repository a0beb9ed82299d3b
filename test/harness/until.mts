const TIMEOUT_MS = 60_000;

/** Waits until a condition holds or a value exists, no matter how slow the machine is. Returns the value. */
export async function waitUntil<T>(
	found: () => T | Promise<T>,
): Promise<Exclude<T, undefined | null | false>> {
	for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; ) {
		const value = await found();
		if (value) return value as Exclude<T, undefined | null | false>;
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
	throw new Error(`Never: ${found}`);
}
