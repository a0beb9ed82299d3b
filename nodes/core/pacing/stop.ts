import { Stopped } from '../errors/stopped';
import { wait } from './wait';

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
