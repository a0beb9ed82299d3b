/** Waits, or goes on at once when one of the signals says so. Such a timer keeps nothing alive. */
export async function wait(milliseconds: number, ...until: AbortSignal[]): Promise<void> {
	await firstOf([timeIsOver(milliseconds), ...until]);
}

/** What comes of the work, or undefined when one of the signals comes first. It listens no longer than it waits. */
export async function unless<T>(
	work: Promise<T>,
	...signals: AbortSignal[]
): Promise<T | undefined> {
	const done = new AbortController();
	const settled = () => done.abort();
	work.then(settled, settled);
	await firstOf([done.signal, ...signals]);
	return done.signal.aborted ? await work : undefined;
}

/** For `unless`: comes after so many milliseconds. */
export function timeIsOver(milliseconds: number): AbortSignal {
	return AbortSignal.timeout(Math.max(Math.ceil(milliseconds), 0));
}

async function firstOf(signals: readonly AbortSignal[]): Promise<void> {
	if (signals.some(({ aborted }) => aborted)) return;
	await new Promise<void>((resolve) => {
		const goOn = () => {
			for (const signal of signals) signal.removeEventListener('abort', goOn);
			resolve();
		};
		for (const signal of signals) signal.addEventListener('abort', goOn);
	});
}
