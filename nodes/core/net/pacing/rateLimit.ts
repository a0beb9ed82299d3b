import type { Stop } from './stop';

/** The length in milliseconds of the window in which answers are counted. */
const WINDOW_MS = 1000;
/** Answers within this many milliseconds are counted together. */
const RESOLUTION_MS = 20;
const MIN_CALLS_PER_SECOND = 0.5;
/** How much each answered call raises the rate, in calls per second. The rate grows by 20 % per second. */
const RATE_INCREASE_PER_CALL = 0.2;
/** A refusal lowers the rate by at most a fifth, because a window may contain fewer answers than the limit allows. */
const RATE_DECREASE_FACTOR = 0.8;
/** Timers may fire late. Delays of up to this many milliseconds are made up for. */
const MAX_CATCH_UP_MS = 100;

/**
 * Estimates the rate that the service allows. Until the first refusal, the rate is unlimited. A refusal sets it to
 * the number of answers in the last second; then it rises until the next refusal.
 */
export class RateLimit {
	/** The rate in calls per second. */
	private rate = Infinity;
	private nextStartAt = 0;
	private lastTurn: Promise<void> = Promise.resolve();
	private decreasedAt = 0;
	private refusedSince = Infinity;
	private answers: Array<{ at: number; calls: number }> = [];

	constructor(
		private readonly stop: Stop,
		/** After this many milliseconds with only refusals, the service is given up. */
		private readonly giveUpAfterMs: number,
	) {}

	/** The largest number of calls in one request: the calls of half a second. A larger batch would exceed the rate. */
	get burst(): number {
		return Math.max(1, Math.ceil(this.rate / 2));
	}

	/** Whether all calls were refused for so long that retries are useless. */
	get isStuck(): boolean {
		return Date.now() - this.refusedSince > this.giveUpAfterMs;
	}

	/** Waits until this many calls may be sent, according to the estimated rate. */
	async waitTurn(calls: number): Promise<void> {
		this.stop.throwIfStopped();
		if (this.rate === Infinity) return;
		const turn = this.lastTurn.then(async () => await this.takeTurn(calls));
		this.lastTurn = turn.catch(() => {});
		await turn;
	}

	/** Waits until a request may be sent, in short pauses, because the rate may change meanwhile. */
	private async takeTurn(calls: number): Promise<void> {
		this.stop.throwIfStopped();
		for (let wait = this.delayMs; wait > 0 && !this.isStuck; wait = this.delayMs) {
			await this.stop.pause(Math.min(wait, MAX_CATCH_UP_MS));
		}
		this.nextStartAt =
			Math.max(this.nextStartAt, Date.now() - MAX_CATCH_UP_MS) + (calls / this.rate) * 1000;
	}

	private get delayMs(): number {
		return this.nextStartAt - Date.now();
	}

	countAnswered(calls: number): void {
		if (calls === 0) return;
		const now = Date.now();
		this.refusedSince = Infinity;
		this.rate += calls * RATE_INCREASE_PER_CALL;
		const latest = this.answers.at(-1);
		if (latest && now - latest.at < RESOLUTION_MS) latest.calls += calls;
		else
			this.answers = [...this.answers.filter(({ at }) => now - at < WINDOW_MS), { at: now, calls }];
	}

	/** Lowers the rate, at most once in a window, because requests that were sent together are also refused together. */
	countRefused(calls: number): void {
		const now = Date.now();
		if (calls === 0) return;
		this.refusedSince = Math.min(this.refusedSince, now);
		if (now - this.decreasedAt < WINDOW_MS) return;
		this.decreasedAt = now;
		this.rate = Math.max(
			MIN_CALLS_PER_SECOND,
			this.computeDecreasedRate(calls, this.getThroughput(now)),
		);
		this.nextStartAt = now;
	}

	/** Counts the calls that were answered in the latest window. */
	private getThroughput(now: number): number {
		return this.answers
			.filter(({ at }) => now - at < WINDOW_MS)
			.reduce((sum, { calls }) => sum + calls, 0);
	}

	private computeDecreasedRate(refused: number, throughput: number): number {
		if (this.rate === Infinity) return throughput || refused / 2;
		return Math.max(Math.min(throughput, this.rate), this.rate * RATE_DECREASE_FACTOR);
	}
}
