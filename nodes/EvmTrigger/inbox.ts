/** What has arrived and was not yet dealt with. */
export class Inbox {
	private events: unknown[] = [];
	private wake: () => void = () => {};

	constructor(private readonly over: AbortSignal) {
		over.addEventListener('abort', () => this.wake());
	}

	readonly put = (event: unknown): void => {
		this.events.push(event);
		this.wake();
	};

	/** Waits until something is there; nothing comes when it is over. */
	async takeAll(): Promise<unknown[]> {
		if (this.events.length === 0 && !this.over.aborted) {
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		return this.drain();
	}

	/** What is there already. */
	drain(): unknown[] {
		return this.events.splice(0);
	}
}
