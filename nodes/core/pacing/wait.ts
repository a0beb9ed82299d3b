/** Waits, or goes on at once when one of the signals says so. Such a timer keeps nothing alive. */
export async function wait(milliseconds: number, ...until: AbortSignal[]): Promise<void> {
	const signals = [AbortSignal.timeout(Math.max(Math.ceil(milliseconds), 0)), ...until];
	if (signals.some(({ aborted }) => aborted)) return;
	await new Promise<void>((resolve) => {
		const goOn = () => {
			for (const signal of signals) signal.removeEventListener('abort', goOn);
			resolve();
		};
		for (const signal of signals) signal.addEventListener('abort', goOn);
	});
}
