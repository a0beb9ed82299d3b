import { wait } from '../../core/pacing/wait';
import type { Timing } from '../timing';

/** More than comes while a trigger is busy. The oldest are given up: the chain is read where announcements are missing. */
const ROOM = 10_000;

/** What has arrived and was not yet dealt with. */
export class Inbox {
	private messages: unknown[] = [];
	private wake: () => void = () => {};
	private takenAt = 0;

	constructor(
		private readonly over: AbortSignal,
		private readonly timing: Timing,
	) {
		over.addEventListener('abort', () => this.wake());
	}

	readonly put = (message: unknown): void => {
		if (this.messages.length === ROOM) this.messages.shift();
		this.messages.push(message);
		this.wake();
	};

	/**
	 * Waits until something is there. What follows closely on something else is gathered: n8n starts executions side by
	 * side, so that only the items of one are sure to keep their order. Nothing comes when it is over.
	 */
	async takeAll(): Promise<unknown[]> {
		if (this.messages.length === 0 && !this.over.aborted) {
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		const { gathering } = this.timing;
		const rest = this.takenAt + gathering - Date.now();
		if (rest > 0) await wait(Math.min(rest, gathering), this.over);
		this.takenAt = Date.now();
		return this.messages.splice(0);
	}
}
