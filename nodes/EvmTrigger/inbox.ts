import { timing } from './timing';
import { wait } from '../core/pacing/wait';

/** More than any node tells in the time that a trigger may be busy; the oldest are given up. */
const ROOM = 100_000;

/** What has arrived and was not yet dealt with. */
export class Inbox {
	private events: unknown[] = [];
	private wake: () => void = () => {};

	constructor(private readonly over: AbortSignal) {
		over.addEventListener('abort', () => this.wake());
	}

	readonly put = (event: unknown): void => {
		if (this.events.length === ROOM) this.events.shift();
		this.events.push(event);
		this.wake();
	};

	/**
	 * Waits until something is there, and a moment for what comes with it: n8n starts executions side by side, so
	 * that only the items of one are sure to keep their order. Nothing comes when it is over.
	 */
	async takeAll(): Promise<unknown[]> {
		if (this.events.length === 0 && !this.over.aborted) {
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		await wait(timing.gathering, this.over);
		return this.events.splice(0);
	}
}
