import type { Stop } from './stop';

/** Milliseconds. */
const SECOND = 1000;
/** Clocks and timers are this exact. */
const TOLERANCE = 10;
/** The service has counted a call when it has answered, or after so many milliseconds. */
const ARRIVAL = 80;
/** Timers fire late; up to so many milliseconds are caught up on. */
const MAX_LAG = 100;

interface SentRequest {
	readonly calls: number;
	/** Until then, a second of the service's may hold it. */
	until: number;
}

/**
 * Never more calls in a second than the user allows, wherever the service lets its seconds begin: what was sent counts
 * for a second after its answer. A second's calls are not sent at once either, unless they share a request.
 */
export class Throttle {
	/** That one request may have. */
	readonly maxCalls: number;
	private readonly window: number;
	/** In the order of sending. */
	private readonly sent: SentRequest[] = [];
	private sentCalls = 0;
	private nextStart = 0;
	private lastTurn: Promise<unknown> = Promise.resolve();

	constructor(
		/** 0 for no limit; 0.5 is one call every two seconds. */
		callsPerSecond: number,
		private readonly stop: Stop,
	) {
		this.maxCalls = callsPerSecond === 0 ? Infinity : Math.max(1, Math.floor(callsPerSecond));
		this.window = Math.max(SECOND, SECOND / callsPerSecond);
	}

	/** Sends so many calls in their turn. */
	async run<T>(calls: number, send: () => Promise<T>): Promise<T> {
		const answered = await this.takeTurn(calls);
		try {
			return await send();
		} finally {
			answered();
		}
	}

	/** Resolves when so many calls may be sent, with what is to be called when they have been answered. */
	async takeTurn(calls: number): Promise<() => void> {
		if (this.maxCalls === Infinity) return () => {};
		const turn = this.lastTurn.then(async () => await this.waitTurn(calls));
		this.lastTurn = turn.catch(() => {});
		const request = await turn;
		return () => {
			const answered = performance.now() + TOLERANCE;
			request.until = Math.min(request.until, answered + this.window);
		};
	}

	private async waitTurn(calls: number): Promise<SentRequest> {
		this.stop.check();
		for (let wait = this.delay(calls); wait > 0; wait = this.delay(calls)) {
			// An answer may come before it is expected.
			await this.stop.pause(wait > ARRIVAL ? wait - ARRIVAL : wait);
		}
		const at = performance.now();
		const request = { calls, until: at + ARRIVAL + this.window };
		this.sent.push(request);
		this.sentCalls += calls;
		this.nextStart = Math.max(this.nextStart, at - MAX_LAG) + this.spacing(calls);
		return request;
	}

	/** Half of the time that so many calls have in a second: a small burst, and soon over. */
	private spacing(calls: number): number {
		return ((calls / this.maxCalls) * this.window) / 2;
	}

	private delay(calls: number): number {
		const now = performance.now();
		this.forget(now);
		const [oldest] = this.sent;
		const isFull = this.sentCalls + calls > this.maxCalls;
		const untilRoom = oldest && isFull ? oldest.until - now : 0;
		return Math.max(untilRoom, this.nextStart - now);
	}

	private forget(now: number): void {
		for (let [first] = this.sent; first && first.until <= now; [first] = this.sent) {
			this.sent.shift();
			this.sentCalls -= first.calls;
		}
	}
}
