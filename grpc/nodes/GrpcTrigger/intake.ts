import { backoff, isRecord, type Start, unless, wait } from '../../../nodes/core';
import type { Timing } from './timing';

type Item = Readonly<Record<string, unknown>>;

/** What may wait while an execution runs, in messages and in bytes of theirs. Then the stream waits, too. */
const MAX_MESSAGES = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * What a stream brings on its way to n8n: one execution after another, each with all that came during the one before.
 * A stream that is faster than the workflow is read more slowly; the service notices, and nothing piles up here.
 */
export class MessageBuffer {
	private items: Item[] = [];
	private bytes = 0;
	private count = 0;
	private isStarting = false;
	private wake: () => void = () => {};

	constructor(
		private readonly start: Start,
		private readonly timing: Timing,
		private readonly closing: AbortSignal,
	) {
		closing.addEventListener('abort', () => this.wake());
	}

	/** Ends when there is room for the next one. */
	readonly push = async (message: unknown, bytes: number): Promise<void> => {
		this.items.push(isRecord(message) ? message : { result: message });
		this.bytes += bytes;
		if (!this.isStarting) void this.startAll();
		while (!this.hasRoom && !this.closing.aborted) {
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
	};

	private get hasRoom(): boolean {
		return this.items.length < MAX_MESSAGES && this.bytes < MAX_BYTES;
	}

	private async startAll(): Promise<void> {
		this.isStarting = true;
		while (this.items.length > 0 && !this.closing.aborted) {
			await wait(this.timing.gathering, this.closing);
			const items = this.items.splice(0);
			this.bytes = 0;
			this.wake();
			await this.startOne(items, `${Date.now()} ${++this.count}`);
		}
		this.isStarting = false;
	}

	/** Until n8n has stored it: its database may be away. */
	private async startOne(items: readonly Item[], key: string): Promise<void> {
		for (let attempt = 0; !this.closing.aborted; attempt++) {
			const storing = this.start(items, key).then(
				() => true,
				() => false,
			);
			if (await unless(storing, this.closing)) return;
			await wait(backoff(attempt, this.timing), this.closing);
		}
	}
}
