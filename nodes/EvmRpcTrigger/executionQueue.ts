import type { ChainObject } from '../core/chain/objects';
import { exponentialBackoff } from '../core/pacing/retry';
import { timeoutSignal, unlessAborted, wait } from '../core/pacing/stop';
import type { Start } from '../core/trigger/executions';

/** An execution to start. */
export interface Execution {
	readonly items: readonly ChainObject[];
	readonly key: string;
	/** Called right before it is started: what n8n is to store with it. */
	readonly save?: () => void;
	/** Called right before a retry: takes back what `save` saved, as it was not stored. */
	readonly restore?: () => void;
}

/** In milliseconds. */
export interface RetryTiming {
	/** Backoff, from so long to so long. */
	readonly pause: number;
	readonly longestPause: number;
	/** Within so long n8n mostly reports that it could not store an execution. */
	readonly storing: number;
	/** Within so long it certainly does. */
	readonly failing: number;
}

interface Queued extends Execution {
	readonly order: number;
}

interface Started extends Queued {
	readonly startedAt: number;
}

/** Items are kept until their executions are stored: a retry needs them. */
const MOST_IN_FLIGHT = 20_000;

/**
 * Starts executions in order. Those that n8n could not store, because its database may be down, are retried in order,
 * one at a time, before any that came later.
 */
export class ExecutionQueue {
	/** Started; n8n has not said whether it stored them. */
	private readonly inFlight = new Map<number, Started>();
	/** To be retried, in order. */
	private failed: readonly Queued[] = [];
	private isRetrying = false;
	private latest: Execution | undefined;
	private count = 0;
	private wake: () => void = () => {};

	constructor(
		private readonly start: Start,
		private readonly timing: RetryTiming,
		private readonly closing: AbortSignal,
	) {}

	add(execution: Execution): void {
		const queued = { ...execution, order: ++this.count };
		this.latest = execution;
		if (this.failed.length > 0) this.failed = [...this.failed, queued];
		else void this.send(queued, execution.save);
	}

	/** Backpressure: waits while too many items are in flight, or anything is to be retried. */
	async waitForRoom(closed: AbortSignal): Promise<void> {
		while (!this.hasRoom && !closed.aborted) {
			const change = new Promise<void>((resolve) => (this.wake = resolve));
			await unlessAborted(change, timeoutSignal(this.timing.storing), closed);
		}
	}

	/** Unfailed after `failing` ms counts as stored: the execution may run for hours. */
	private get hasRoom(): boolean {
		let count = 0;
		for (const { order, startedAt, items } of this.inFlight.values()) {
			if (Date.now() - startedAt > this.timing.failing) this.inFlight.delete(order);
			else count += items.length;
		}
		return this.failed.length === 0 && count < MOST_IN_FLIGHT;
	}

	/** False if n8n could not store it. */
	private async send(queued: Queued, beforeStart?: () => void): Promise<boolean> {
		if (this.closing.aborted) return true;
		beforeStart?.();
		this.inFlight.set(queued.order, { ...queued, startedAt: Date.now() });
		return await this.start(queued.items, queued.key).then(
			() => this.succeed(queued.order),
			() => this.fail(queued.order),
		);
	}

	private succeed(order: number): boolean {
		this.inFlight.delete(order);
		this.wake();
		return true;
	}

	private fail(order: number): boolean {
		const queued = this.inFlight.get(order);
		this.inFlight.delete(order);
		if (!queued) return false;
		const others = this.failed.filter((one) => one.order !== order);
		this.failed = [...others, queued].sort((a, b) => a.order - b.order);
		if (!this.isRetrying) void this.retryAll();
		return false;
	}

	private async retryAll(): Promise<void> {
		this.isRetrying = true;
		const { pause, longestPause } = this.timing;
		let attempt = 0;
		while (this.failed.length > 0 && !this.closing.aborted) {
			await wait(exponentialBackoff(attempt, pause, longestPause), this.closing);
			attempt = (await this.retryFirst()) ? 0 : attempt + 1;
		}
		this.isRetrying = false;
		this.latest?.save?.();
		this.wake();
	}

	/** Others may fail, in any order, until it is stored. False if n8n could not store it. */
	private async retryFirst(): Promise<boolean> {
		const [first] = this.failed;
		if (!first) return true;
		const storing = this.send(first, first.restore);
		const isStored = await unlessAborted(storing, timeoutSignal(this.timing.storing), this.closing);
		if (isStored === false) return false;
		this.failed = this.failed.filter(({ order }) => order !== first.order);
		return true;
	}
}
