import type { Stop } from './stop';

const SECOND_MS = 1000;
/** How far clocks and timers may be wrong, in milliseconds. */
const TOLERANCE_MS = 10;
/** The service has counted a call when its answer comes, or after this many milliseconds. */
const MAX_ARRIVAL_MS = 80;
/** Timers may fire late. Delays of up to this many milliseconds are made up for. */
const MAX_CATCH_UP_MS = 100;

interface SentRequest {
	readonly calls: number;
	/** Until this time, the request counts against the limit of the service. */
	countsUntil: number;
}

/**
 * Limits the calls per second. No second has more calls than allowed, because a request counts until a second after
 * its answer. The calls of a second are also spread out, unless they share a request.
 */
export class Throttle {
	/** The largest number of calls in one request. */
	readonly maxRequestCalls: number;
	private readonly windowMs: number;
	/** The sent requests that still count, in the order of sending. */
	private readonly sent: SentRequest[] = [];
	private sentCalls = 0;
	private nextStartAt = 0;
	private lastTurn: Promise<unknown> = Promise.resolve();

	constructor(
		/** The allowed calls per second; 0 for no limit, 0.5 for one call every two seconds. */
		callsPerSecond: number,
		private readonly stop: Stop,
	) {
		this.maxRequestCalls =
			callsPerSecond === 0 ? Infinity : Math.max(1, Math.floor(callsPerSecond));
		this.windowMs = Math.max(SECOND_MS, SECOND_MS / callsPerSecond);
	}

	/** Sends a request with this many calls when its turn comes. */
	async run<T>(calls: number, send: () => Promise<T>): Promise<T> {
		const answered = await this.takeTurn(calls);
		try {
			return await send();
		} finally {
			answered();
		}
	}

	/**
	 * Resolves when this many calls may be sent. The function that it returns must be called when the answer has come.
	 */
	async takeTurn(calls: number): Promise<() => void> {
		if (this.maxRequestCalls === Infinity) return () => {};
		const turn = this.lastTurn.then(async () => await this.waitTurn(calls));
		this.lastTurn = turn.catch(() => {});
		const request = await turn;
		return () => {
			const answered = performance.now() + TOLERANCE_MS;
			request.countsUntil = Math.min(request.countsUntil, answered + this.windowMs);
		};
	}

	private async waitTurn(calls: number): Promise<SentRequest> {
		this.stop.throwIfStopped();
		for (let wait = this.getDelay(calls); wait > 0; wait = this.getDelay(calls)) {
			// The pause ends early and the delay is computed again, because an answer may come earlier than expected.
			await this.stop.pause(wait > MAX_ARRIVAL_MS ? wait - MAX_ARRIVAL_MS : wait);
		}
		const at = performance.now();
		const request = { calls, countsUntil: at + MAX_ARRIVAL_MS + this.windowMs };
		this.sent.push(request);
		this.sentCalls += calls;
		this.nextStartAt = Math.max(this.nextStartAt, at - MAX_CATCH_UP_MS) + this.getSpacing(calls);
		return request;
	}

	/**
	 * Returns the pause after `calls` calls. It is half of their share of the window, so that a few calls can follow each
	 * other quickly.
	 */
	private getSpacing(calls: number): number {
		return ((calls / this.maxRequestCalls) * this.windowMs) / 2;
	}

	private getDelay(calls: number): number {
		const now = performance.now();
		this.forgetOld(now);
		const [oldest] = this.sent;
		const isFull = this.sentCalls + calls > this.maxRequestCalls;
		const untilRoom = oldest && isFull ? oldest.countsUntil - now : 0;
		return Math.max(untilRoom, this.nextStartAt - now);
	}

	private forgetOld(now: number): void {
		for (let [first] = this.sent; first && first.countsUntil <= now; [first] = this.sent) {
			this.sent.shift();
			this.sentCalls -= first.calls;
		}
	}
}
