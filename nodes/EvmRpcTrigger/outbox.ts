import type { ChainObject } from '../core/chain/objects';
import type { SavedState } from '../core/follow/position';
import { exponentialBackoff } from '../core/pacing/retry';
import { timeoutSignal, unlessAborted, wait } from '../core/pacing/stop';
import type { Start } from '../core/trigger/executions';
import type { Timing } from './timing';

/** What starts one execution. */
export interface Batch {
	readonly items: readonly ChainObject[];
	readonly key: string;
	/** How far the trigger has come with it. */
	readonly state?: SavedState;
}

interface Sent extends Batch {
	readonly order: number;
	readonly at: number;
	/** How far the trigger had come before. */
	readonly before?: SavedState;
}

/** This many items may be on their way at once: until their executions are stored, they may be needed again. */
const ROOM = 20_000;

/**
 * Starts executions in order, and starts them again, one after another, when n8n could not store them: its database
 * may be away. Meanwhile nothing more is read, and what n8n saves of the state says only what was stored.
 */
export class ExecutionQueue {
	/** Started; n8n has not said what became of it. */
	private readonly underWay = new Map<number, Sent>();
	/** Not stored, in order. */
	private failed: readonly Sent[] = [];
	private isStartingAgain = false;
	private latest: SavedState | undefined;
	private count = 0;
	private wake: () => void = () => {};

	constructor(
		private readonly start: Start,
		private readonly save: (state: SavedState) => void,
		private readonly timing: Timing,
		private readonly closing: AbortSignal,
	) {}

	put(batch: Batch): void {
		const sent = { ...batch, order: ++this.count, at: Date.now(), before: this.latest };
		this.latest = batch.state;
		if (this.failed.length > 0) this.failed = [...this.failed, sent];
		else void this.send(sent, sent.state);
	}

	/** Waits until there is room for more, and everything is stored. */
	async room(over: AbortSignal): Promise<void> {
		while (!this.hasRoom && !over.aborted) {
			const change = new Promise<void>((resolve) => (this.wake = resolve));
			await unlessAborted(change, timeoutSignal(this.timing.storing), over);
		}
	}

	/** What was started long ago and did not fail was stored: its execution may go on for hours. */
	private get hasRoom(): boolean {
		let items = 0;
		for (const { order, at, items: own } of this.underWay.values()) {
			if (Date.now() - at > this.timing.failing) this.underWay.delete(order);
			else items += own.length;
		}
		return this.failed.length === 0 && items < ROOM;
	}

	/** False if n8n could not store it. */
	private async send(sent: Sent, state: SavedState | undefined): Promise<boolean> {
		if (this.closing.aborted) return true;
		if (state) this.save(state);
		this.underWay.set(sent.order, { ...sent, at: Date.now() });
		return await this.start(sent.items, sent.key).then(
			() => this.settle(sent.order),
			() => this.fail(sent.order),
		);
	}

	private settle(order: number): boolean {
		this.underWay.delete(order);
		this.wake();
		return true;
	}

	private fail(order: number): boolean {
		const sent = this.underWay.get(order);
		this.underWay.delete(order);
		if (!sent) return false;
		const others = this.failed.filter((one) => one.order !== order);
		this.failed = [...others, sent].sort((a, b) => a.order - b.order);
		if (!this.isStartingAgain) void this.startAgain();
		return false;
	}

	private async startAgain(): Promise<void> {
		this.isStartingAgain = true;
		const { pause, longestPause } = this.timing;
		let attempt = 0;
		while (this.failed.length > 0 && !this.closing.aborted) {
			await wait(exponentialBackoff(attempt, pause, longestPause), this.closing);
			attempt = (await this.startFirst()) ? 0 : attempt + 1;
		}
		this.isStartingAgain = false;
		if (this.latest) this.save(this.latest);
		this.wake();
	}

	/** Failures arrive in any order. False if n8n could not store it. */
	private async startFirst(): Promise<boolean> {
		const [first] = this.failed;
		if (!first) return true;
		const storing = this.send(first, first.before);
		const isStored = await unlessAborted(storing, timeoutSignal(this.timing.storing), this.closing);
		if (isStored === false) return false;
		this.failed = this.failed.filter(({ order }) => order !== first.order);
		return true;
	}
}
