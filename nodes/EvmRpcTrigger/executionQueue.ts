import type { ChainObject } from '../core/evm/objects';
import { computeBackoff } from '../core/transport/pacing/retry';
import { createTimeoutSignal, unlessAborted, wait } from '../core/transport/pacing/stop';
import type { ExecutionEnd, StartExecution } from '../core/trigger/executions';
import {
	filterRestartable,
	NO_PENDING_EXECUTIONS,
	type PendingExecutions,
	type PendingExecution,
} from './pendingExecutions';

/** An execution to start. */
export interface Execution {
	readonly items: readonly ChainObject[];
	readonly key: string;
	/** Called right before it is started: what n8n is to store with it. */
	readonly save?: Save;
}

type Save = (starts: PendingExecutions) => void;

/** In milliseconds. */
export interface RetryTiming {
	/** Backoff, from so long to so long. */
	readonly pauseMs: number;
	readonly maxPauseMs: number;
	/** Within so long n8n mostly reports that it could not store an execution. */
	readonly storingMs: number;
	/** After so long without a word it has very likely been stored: a kill of n8n does not lose it. */
	readonly settlingMs: number;
	/** After so long without a word it may be forgotten where its memory is needed. A frozen database may fail later. */
	readonly failingMs: number;
}

interface QueuedExecution extends Execution {
	readonly order: number;
	/** When it was started first. */
	readonly at: number;
}

interface StartedExecution extends QueuedExecution {
	readonly startedAt: number;
}

/** Items are kept until n8n has said what became of their executions: a retry needs them. */
const MAX_IN_FLIGHT_ITEMS = 20_000;
/** More are not started until those before are stored: n8n's static data holds them. */
const MAX_PENDING_ITEMS = 2_000;

/**
 * Starts executions in order. Those that n8n could not store, because its database may be down, are retried in order,
 * one at a time, before any that came later. What n8n may not have stored is saved with the position.
 */
export class ExecutionQueue {
	/** Started; n8n has not said what became of them. */
	private readonly inFlight = new Map<number, StartedExecution>();
	/** To be retried, in order. */
	private failed: readonly QueuedExecution[] = [];
	private isRetrying = false;
	private isSaved = true;
	private latest: Execution | undefined;
	/** Of an earlier life of n8n: whether they are started again is to be seen. */
	private undecided: readonly PendingExecution[] = [];
	private succeeded: string | undefined;
	/** What n8n does not tell of, it may not tell apart by keys either. */
	private isReported = true;
	private count = 0;
	private wake: () => void = () => {};

	constructor(
		private readonly start: StartExecution,
		private readonly timing: RetryTiming,
		private readonly closing: AbortSignal,
	) {}

	add(execution: Execution & { readonly at?: number }): void {
		const queued = { at: Date.now(), ...execution, order: ++this.count };
		this.latest = execution;
		this.isSaved = false;
		if (this.failed.length > 0) this.failed = [...this.failed, queued];
		else void this.send(queued);
	}

	/** Starts again, under the same keys, what n8n may not have stored before it was killed. */
	async restart({ underWay, succeeded }: PendingExecutions, save: Save, closed: AbortSignal) {
		this.succeeded ??= succeeded;
		this.undecided = filterRestartable(underWay);
		const decided = this.restartIfSafe(save);
		await unlessAborted(decided, createTimeoutSignal(this.timing.settlingMs), closed);
	}

	/** What n8n may not have stored. */
	get pendingExecutions(): PendingExecutions {
		if (!this.isReported) return NO_PENDING_EXECUTIONS;
		const since = Date.now() - this.timing.settlingMs;
		const young = [...this.inFlight.values()].filter(({ startedAt }) => startedAt >= since);
		const all = new Map([...this.failed, ...young].map((one) => [one.order, one]));
		const ours = [...all.values()].map(({ key, at, items }) => ({ key, at, items }));
		const underWay = [...ours, ...this.undecided].sort((a, b) => a.at - b.at);
		return { underWay, succeeded: this.succeeded };
	}

	/** Backpressure: waits while too many items are in flight, or anything is to be retried. */
	async waitForRoom(closed: AbortSignal): Promise<void> {
		while (!this.hasRoom && !closed.aborted) {
			const change = new Promise<void>((resolve) => (this.wake = resolve));
			await unlessAborted(change, createTimeoutSignal(this.timing.storingMs), closed);
		}
	}

	private get hasRoom(): boolean {
		const { failingMs: failing, settlingMs: settling } = this.timing;
		const now = Date.now();
		let [inFlight, underWay] = [0, 0];
		for (const { startedAt, items } of this.inFlight.values()) {
			inFlight += items.length;
			if (now - startedAt <= settling) underWay += items.length;
		}
		for (const { order, startedAt, items } of this.inFlight.values()) {
			if (inFlight < MAX_IN_FLIGHT_ITEMS || now - startedAt <= failing) break;
			this.inFlight.delete(order);
			inFlight -= items.length;
		}
		return (
			this.failed.length === 0 && inFlight < MAX_IN_FLIGHT_ITEMS && underWay < MAX_PENDING_ITEMS
		);
	}

	/** False if n8n could not store it. */
	private async send(queued: QueuedExecution): Promise<boolean> {
		if (this.closing.aborted) return true;
		this.inFlight.delete(queued.order);
		this.inFlight.set(queued.order, { ...queued, startedAt: Date.now() });
		if (!this.isSaved) this.latest?.save?.(this.pendingExecutions);
		this.isSaved = true;
		const { order, items, key } = queued;
		return await this.start(items, key).then(
			(ending) => this.succeed(order, ending, key),
			() => this.fail(order),
		);
	}

	private succeed(order: number, ending: ExecutionEnd, key: string): boolean {
		this.inFlight.delete(order);
		if (ending === 'succeeded') this.succeeded = key;
		if (ending === 'unknown') this.isReported = false;
		this.wake();
		return true;
	}

	private fail(order: number): boolean {
		const queued = this.inFlight.get(order);
		if (!queued) return false;
		this.inFlight.delete(order);
		const others = this.failed.filter((one) => one.order !== order);
		this.failed = [...others, queued].sort((a, b) => a.order - b.order);
		this.isSaved = false;
		if (!this.isRetrying) void this.retryAll();
		return false;
	}

	private async retryAll(): Promise<void> {
		this.isRetrying = true;
		const { pauseMs: pause, storingMs: storing } = this.timing;
		for (let failures = 0; this.failed.length > 0 && !this.closing.aborted; ) {
			await this.backOff(failures);
			let isStored = await this.retryFirst(storing);
			failures = isStored ? 0 : failures + 1;
			// The database is back: what runs for long holds up none of the others.
			while (isStored && this.failed.length > 0) isStored = await this.retryFirst(pause / 10);
		}
		this.isRetrying = false;
		this.wake();
	}

	private async backOff(attempt: number): Promise<void> {
		const { pauseMs: pause, maxPauseMs: longestPause } = this.timing;
		await wait(computeBackoff(attempt, pause, longestPause), this.closing);
	}

	/** Others may fail, in any order, until it is stored. False if n8n could not store it. */
	private async retryFirst(patience: number): Promise<boolean> {
		const [first] = this.failed;
		if (!first) return true;
		const storing = this.send(first);
		const isStored = await unlessAborted(storing, createTimeoutSignal(patience), this.closing);
		if (isStored === false) return false;
		this.failed = this.failed.filter(({ order }) => order !== first.order);
		return true;
	}

	/** An n8n that does not keep what has succeeded would run it twice. */
	private async restartIfSafe(save: Save): Promise<void> {
		const isSafe = this.undecided.length > 0 && (await this.isSucceededKept());
		for (const one of isSafe ? this.undecided : []) {
			this.undecided = this.undecided.slice(1);
			this.add({ ...one, save });
		}
		this.undecided = [];
	}

	/** Asked by a start without items, under the key of an execution that has succeeded: nothing runs. */
	private async isSucceededKept(): Promise<boolean> {
		const { succeeded, start, closing } = this;
		for (let attempt = 0; succeeded !== undefined && !closing.aborted; attempt++) {
			const ending = await start([], succeeded).catch(() => undefined);
			if (ending) return ending === 'duplicate';
			await this.backOff(attempt);
		}
		return false;
	}
}
