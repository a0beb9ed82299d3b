import {
	getBackoff,
	isRecord,
	unlessAborted,
	wait,
	type StartExecution,
	type TriggerTiming,
} from '../../../nodes/core';

type Item = Readonly<Record<string, unknown>>;

/** The highest number of messages that are buffered while an execution runs. */
const MAX_BUFFERED_MESSAGES = 1_000;
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

/**
 * Buffers messages between a stream and n8n. Only one execution runs at a time, with all messages that arrived during the previous
 * execution. A full buffer makes the stream wait.
 */
export class MessageBuffer {
	private items: Item[] = [];
	private bytes = 0;
	private count = 0;
	private isDraining = false;
	private wake: () => void = () => {};

	constructor(
		private readonly start: StartExecution,
		private readonly timing: TriggerTiming,
		private readonly closing: AbortSignal,
	) {
		closing.addEventListener('abort', () => this.wake());
	}

	/** Adds a message to the buffer. Resolves when there is room for the next message. */
	readonly push = async (message: unknown, bytes: number): Promise<void> => {
		this.items.push(isRecord(message) ? message : { result: message });
		this.bytes += bytes;
		if (!this.isDraining) void this.drain();
		while (!this.hasRoom && !this.closing.aborted) {
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
	};

	private get hasRoom(): boolean {
		return this.items.length < MAX_BUFFERED_MESSAGES && this.bytes < MAX_BUFFERED_BYTES;
	}

	private async drain(): Promise<void> {
		this.isDraining = true;
		while (this.items.length > 0 && !this.closing.aborted) {
			await wait(this.timing.gatheringMs, this.closing);
			const items = this.items.splice(0);
			this.bytes = 0;
			this.wake();
			await this.execute(items, `${Date.now()} ${++this.count}`);
		}
		this.isDraining = false;
	}

	/** Starts an execution. Tries again with the same key until n8n has stored it, because n8n's database may be unavailable. */
	private async execute(items: readonly Item[], key: string): Promise<void> {
		for (let attempt = 0; !this.closing.aborted; attempt++) {
			const storing = this.start(items, key).then(
				() => true,
				() => false,
			);
			if (await unlessAborted(storing, this.closing)) return;
			await wait(getBackoff(attempt, this.timing), this.closing);
		}
	}
}
