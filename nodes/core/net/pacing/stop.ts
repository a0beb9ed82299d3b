/** Waits until the time is over or a signal aborts. The timer does not keep Node running. */
export async function wait(milliseconds: number, ...signals: AbortSignal[]): Promise<void> {
	await waitForAbort([createTimeoutSignal(milliseconds), ...signals]);
}

/** Returns the result of `work`; undefined if a signal aborts first. All listeners are removed. */
export async function unlessAborted<T>(
	work: Promise<T>,
	...signals: AbortSignal[]
): Promise<T | undefined> {
	const done = new AbortController();
	const settled = () => done.abort();
	work.then(settled, settled);
	await waitForAbort([done.signal, ...signals]);
	return done.signal.aborted ? await work : undefined;
}

export function createTimeoutSignal(milliseconds: number): AbortSignal {
	return AbortSignal.timeout(Math.max(Math.ceil(milliseconds), 0));
}

async function waitForAbort(signals: readonly AbortSignal[]): Promise<void> {
	if (signals.some(({ aborted }) => aborted)) return;
	await new Promise<void>((resolve) => {
		const goOn = () => {
			for (const signal of signals) signal.removeEventListener('abort', goOn);
			resolve();
		};
		for (const signal of signals) signal.addEventListener('abort', goOn);
	});
}

/** Is thrown if a run was stopped before its work was done. */
export class Stopped extends Error {
	constructor() {
		// The message by which n8n recognizes a cancelled execution.
		super('The execution was canceled');
	}
}

/** Stops a run when the user cancels the execution, or when an item fails for good. */
export class Stop {
	readonly signal: AbortSignal;
	private readonly failed = new AbortController();
	/**
	 * The running pauses. They share one listener on `signal`, because older versions of Node warn of a leak if a
	 * signal has many listeners.
	 */
	private readonly pauses = new Set<AbortController>();

	constructor(private readonly cancelled?: AbortSignal) {
		const { signal } = this.failed;
		this.signal = cancelled ? AbortSignal.any([cancelled, signal]) : signal;
		this.signal.addEventListener('abort', () => this.pauses.forEach((pause) => pause.abort()));
	}

	get isStopped(): boolean {
		return this.signal.aborted;
	}

	/** Whether the user cancelled the execution. */
	get isCancelled(): boolean {
		return this.cancelled?.aborted ?? false;
	}

	stop(): void {
		this.failed.abort();
	}

	throwIfStopped(): void {
		if (this.isStopped) throw new Stopped();
	}

	async pause(milliseconds: number): Promise<void> {
		this.throwIfStopped();
		const pause = new AbortController();
		this.pauses.add(pause);
		await wait(milliseconds, pause.signal);
		this.pauses.delete(pause);
		this.throwIfStopped();
	}
}
