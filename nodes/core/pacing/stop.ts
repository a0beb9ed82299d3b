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

/** The execution was stopped, or an earlier item failed: what is left is not done, and nobody is told. */
export class Stopped extends Error {
	constructor() {
		// n8n knows a stopped execution by this word.
		super('The execution was canceled');
	}
}

/** Says when to give up: the user stopped the execution, or an item failed for good. */
export class Stop {
	readonly signal: AbortSignal;
	private readonly failed = new AbortController();
	/** Older versions of Node warn of a leak when many listen to one signal. */
	private readonly pauses = new Set<AbortController>();

	constructor(private readonly cancelled?: AbortSignal) {
		const { signal } = this.failed;
		this.signal = cancelled ? AbortSignal.any([cancelled, signal]) : signal;
		this.signal.addEventListener('abort', () => this.pauses.forEach((pause) => pause.abort()));
	}

	get isStopped(): boolean {
		return this.signal.aborted;
	}

	/** By the user, rather than by a failure. */
	get isCancelled(): boolean {
		return this.cancelled?.aborted ?? false;
	}

	stopNow(): void {
		this.failed.abort();
	}

	check(): void {
		if (this.isStopped) throw new Stopped();
	}

	async pause(milliseconds: number): Promise<void> {
		this.check();
		const pause = new AbortController();
		this.pauses.add(pause);
		await wait(milliseconds, pause.signal);
		this.pauses.delete(pause);
		this.check();
	}
}
