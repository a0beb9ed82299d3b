import type { Stop } from './stop';

const WINDOW = 1000;
/** Answers of one moment are counted together. */
const MOMENT = 20;
const SLOWEST = 0.5;
/** Each call that gets through raises the pace by this many calls a second: 20 % every second. */
const GAIN = 0.2;
const DEEPEST_CUT = 0.8;
/** Timers are late; up to this many milliseconds are made up for. */
const LATE = 100;

/**
 * How many calls a second the service lets through, learned from its refusals: unlimited until the first,
 * then as many as got through in the second before it, rising while none is refused.
 */
export class RateLimit {
	private rate = Infinity;
	private nextStart = 0;
	private line: Promise<void> = Promise.resolve();
	private slowedAt = 0;
	private refusedSince = Infinity;
	private answers: Array<{ at: number; calls: number }> = [];

	constructor(
		private readonly stop: Stop,
		/** How many milliseconds to go on when everything is refused. */
		private readonly patience: number,
	) {}

	/** How many calls fit into half a second at the present pace, so that a batch does not outrun the limit. */
	get burst(): number {
		return Math.max(1, Math.ceil(this.rate / 2));
	}

	/** Everything was refused for so long that waiting makes no sense any more. */
	get isStuck(): boolean {
		return Date.now() - this.refusedSince > this.patience;
	}

	/** Waits until so many calls may be sent. */
	async waitTurn(calls: number): Promise<void> {
		this.stop.check();
		if (this.rate === Infinity) return;
		const turn = this.line.then(async () => await this.start(calls));
		this.line = turn.catch(() => {});
		await turn;
	}

	/** The pace may change while the first in line waits. */
	private async start(calls: number): Promise<void> {
		this.stop.check();
		for (let left = this.left; left > 0 && !this.isStuck; left = this.left) {
			await this.stop.pause(Math.min(left, LATE));
		}
		this.nextStart = Math.max(this.nextStart, Date.now() - LATE) + (calls / this.rate) * 1000;
	}

	private get left(): number {
		return this.nextStart - Date.now();
	}

	countAnswered(calls: number): void {
		if (calls === 0) return;
		const now = Date.now();
		this.refusedSince = Infinity;
		this.rate += calls * GAIN;
		const latest = this.answers.at(-1);
		if (latest && now - latest.at < MOMENT) latest.calls += calls;
		else this.answers = [...this.answers.filter(({ at }) => now - at < WINDOW), { at: now, calls }];
	}

	/** Refusals of requests that were under way together count as one. */
	countRefused(calls: number): void {
		const now = Date.now();
		if (calls === 0) return;
		this.refusedSince = Math.min(this.refusedSince, now);
		if (now - this.slowedAt < WINDOW) return;
		this.slowedAt = now;
		const got = this.got(now);
		this.rate = Math.max(SLOWEST, this.rate === Infinity ? got || calls / 2 : this.slower(got));
		this.nextStart = now;
	}

	/** How many calls got through in the latest second. */
	private got(now: number): number {
		return this.answers
			.filter(({ at }) => now - at < WINDOW)
			.reduce((sum, { calls }) => sum + calls, 0);
	}

	/** One second may hold fewer answers than the limit allows, so a single refusal does not cut deep. */
	private slower(got: number): number {
		return Math.max(Math.min(got, this.rate), this.rate * DEEPEST_CUT);
	}
}
