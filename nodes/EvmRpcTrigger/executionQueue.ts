import { deepCopy, type IDataObject, type ITriggerFunctions } from 'n8n-workflow';
import { copyForStorage, parseSavedCursor, type SavedCursor } from '../core/chain/cursor';
import { computeBackoff } from '../core/net/pacing/retry';
import { createTimeoutSignal, unlessAborted, wait } from '../core/net/pacing/stop';
import { isKeySupported, type ExecutionEnd, type StartExecution } from '../core/trigger/executions';
import { STARTING_MODES } from '../core/trigger/reconnect';
import type { JsonObject } from '../core/values/json';
import {
	NO_PENDING_EXECUTIONS,
	parsePendingExecutions,
	Restart,
	type PendingExecution,
	type PendingExecutions,
} from './restart';

/** An execution to start. */
export interface Execution {
	readonly items: readonly JsonObject[];
	readonly key: string;
	/** How far the chain was read with this execution. n8n should store this position with the execution. */
	readonly cursor?: SavedCursor;
}

/** What n8n keeps for the trigger. */
export interface Saved {
	/** The position up to which executions were started. */
	readonly cursor?: SavedCursor;
	/** The started executions that n8n may not have stored. */
	readonly pending: PendingExecutions;
}

export interface ExecutionStorage {
	load(): Saved;
	/** n8n stores it with the next execution that is started, and when a workflow has been activated. */
	save(saved: Saved & { readonly cursor: SavedCursor }): void;
}

/** When a user activates a workflow, reading starts at the head. After a restart of n8n, it resumes. */
const RESUMING_MODES = [...STARTING_MODES, 'update'];

/** Keeps the state in n8n's static data; a manual execution keeps nothing. */
export function createExecutionStorage(
	context: ITriggerFunctions,
	closing: AbortSignal,
): ExecutionStorage {
	if (context.getMode() === 'manual') {
		return { load: () => ({ pending: NO_PENDING_EXECUTIONS }), save: () => {} };
	}
	const data = context.getWorkflowStaticData('node');
	const mode = context.getActivationMode();
	return {
		load: () => ({
			cursor: RESUMING_MODES.includes(mode) ? parseSavedCursor(data.saved) : undefined,
			// The process that was to store them is no more.
			pending: STARTING_MODES.includes(mode)
				? parsePendingExecutions(data.starts)
				: NO_PENDING_EXECUTIONS,
		}),
		// Events found while closing are not emitted, so they must not count as emitted.
		save: ({ cursor, pending }) => {
			if (closing.aborted) return;
			data.saved = copyForStorage(cursor) as unknown as IDataObject;
			// Without keys they would come twice.
			if (isKeySupported(context)) data.starts = deepCopy(pending) as unknown as IDataObject;
		},
	};
}

/** In milliseconds. */
export interface RetryTiming {
	/** The shortest and the longest pause before a retry. */
	readonly pauseMs: number;
	readonly maxPauseMs: number;
	/** Within this time n8n mostly reports that it could not store an execution. */
	readonly storingMs: number;
	/** After this long without a report, n8n has very likely stored the execution, so that a kill of n8n does not lose it. */
	readonly settlingMs: number;
	/**
	 * After this long without a report its items may be dropped where there is no room. A frozen database may fail later.
	 */
	readonly failingMs: number;
}

interface QueuedExecution extends PendingExecution {
	readonly order: number;
}

interface StartedExecution extends QueuedExecution {
	readonly startedAt: number;
}

/** Items are kept until n8n has reported the result of their executions, because a retry needs them. */
const MAX_IN_FLIGHT_ITEMS = 20_000;
/** No more than these are started until earlier ones are stored, because n8n's static data holds them. */
const MAX_PENDING_ITEMS = 2_000;

/**
 * Starts executions in order. Those that n8n could not store, because its database may be down, are retried in order,
 * one at a time, before any that came later. The cursor is saved with each start, together with the executions that n8n
 * may not have stored. This class is the only place that saves them.
 */
export class ExecutionQueue {
	/** The position up to which executions were started. */
	private cursor: SavedCursor | undefined;
	/** Executions that were started, and whose result n8n has not reported. */
	private readonly inFlight = new Map<number, StartedExecution>();
	/** Executions that are to be retried, in order. */
	private failed: readonly QueuedExecution[] = [];
	private isRetrying = false;
	private isSaved = true;
	private restart = new Restart(NO_PENDING_EXECUTIONS);
	private restarting: Promise<void> | undefined;
	private succeeded: string | undefined;
	/** If n8n does not report the result of an execution, it may not know keys either. */
	private isReported = true;
	private count = 0;
	private wake: () => void = () => {};

	constructor(
		private readonly start: StartExecution,
		private readonly storage: ExecutionStorage,
		private readonly timing: RetryTiming,
		private readonly closing: AbortSignal,
	) {}

	/**
	 * Loads the cursor that was saved last, and if it watched the same, the executions that n8n may not have stored then.
	 */
	load(watched: string): SavedCursor | undefined {
		const { cursor, pending } = this.storage.load();
		this.cursor = cursor;
		if (cursor?.watched === watched) {
			this.restart = new Restart(pending);
			this.succeeded = pending.succeeded;
		}
		return cursor;
	}

	/** Saves a cursor for which no execution starts. */
	saveCursor(cursor: SavedCursor): void {
		this.cursor = cursor;
		this.save();
	}

	/** Starts an execution after those before it. */
	add({ items, key, cursor = this.cursor }: Execution): void {
		this.cursor = cursor;
		this.enqueue({ items, key, at: Date.now() });
	}

	/**
	 * Starts again, under the same keys, the executions that n8n may not have stored before it was killed. This is
	 * decided once, however often the connection is lost meanwhile.
	 */
	async restartPending(closed: AbortSignal): Promise<void> {
		this.restarting ??= this.restartIfSafe();
		await unlessAborted(this.restarting, createTimeoutSignal(this.timing.settlingMs), closed);
	}

	private async restartIfSafe(): Promise<void> {
		const { start, closing } = this;
		const backOff = async (failures: number) => await this.backOff(failures);
		const restartable = this.restart.takeRestartable({ start, backOff, closing });
		for await (const execution of restartable) this.enqueue(execution);
	}

	/** Backpressure: waits while too many items are in flight, or an execution is to be retried. */
	async waitForRoom(closed: AbortSignal): Promise<void> {
		while (!this.makeRoom() && !closed.aborted) {
			const change = new Promise<void>((resolve) => (this.wake = resolve));
			await unlessAborted(change, createTimeoutSignal(this.timing.storingMs), closed);
		}
	}

	/**
	 * Stops waiting for the oldest executions that n8n has not reported, if only these take up the limit. Returns whether more
	 * can start.
	 */
	private makeRoom(): boolean {
		const { failingMs, settlingMs } = this.timing;
		const now = Date.now();
		let [inFlight, underWay] = [0, 0];
		for (const { startedAt, items } of this.inFlight.values()) {
			inFlight += items.length;
			if (now - startedAt <= settlingMs) underWay += items.length;
		}
		for (const { order, startedAt, items } of this.inFlight.values()) {
			if (inFlight < MAX_IN_FLIGHT_ITEMS || now - startedAt <= failingMs) break;
			this.inFlight.delete(order);
			inFlight -= items.length;
		}
		return (
			this.failed.length === 0 && inFlight < MAX_IN_FLIGHT_ITEMS && underWay < MAX_PENDING_ITEMS
		);
	}

	private enqueue(execution: PendingExecution): void {
		const queued = { ...execution, order: ++this.count };
		this.isSaved = false;
		if (this.failed.length > 0) this.failed = [...this.failed, queued];
		else void this.send(queued);
	}

	private save(): void {
		if (this.cursor) this.storage.save({ cursor: this.cursor, pending: this.getPending() });
		this.isSaved = true;
	}

	/** The executions that n8n may not have stored. */
	private getPending(): PendingExecutions {
		if (!this.isReported) return NO_PENDING_EXECUTIONS;
		const since = Date.now() - this.timing.settlingMs;
		const young = [...this.inFlight.values()].filter(({ startedAt }) => startedAt >= since);
		const all = new Map([...this.failed, ...young].map((one) => [one.order, one]));
		const ours = [...all.values()].map(({ key, at, items }) => ({ key, at, items }));
		const underWay = [...ours, ...this.restart.undecided].sort((a, b) => a.at - b.at);
		return { underWay, succeeded: this.succeeded };
	}

	/** Resolves to false if n8n could not store it. */
	private async send(queued: QueuedExecution): Promise<boolean> {
		if (this.closing.aborted) return true;
		this.inFlight.delete(queued.order);
		this.inFlight.set(queued.order, { ...queued, startedAt: Date.now() });
		if (!this.isSaved) this.save();
		const { order, items, key } = queued;
		return await this.start(items, key).then(
			(ending) => this.settle(order, ending, key),
			() => this.fail(order),
		);
	}

	private settle(order: number, ending: ExecutionEnd, key: string): boolean {
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
		const { pauseMs, storingMs } = this.timing;
		for (let failures = 0; this.failed.length > 0 && !this.closing.aborted; ) {
			await this.backOff(failures);
			let isStored = await this.retryFirst(storingMs);
			failures = isStored ? 0 : failures + 1;
			// The database is back then: a long execution holds up none of the others.
			while (isStored && this.failed.length > 0) isStored = await this.retryFirst(pauseMs / 10);
		}
		this.isRetrying = false;
		this.wake();
	}

	private async backOff(attempt: number): Promise<void> {
		const { pauseMs, maxPauseMs } = this.timing;
		await wait(computeBackoff(attempt, pauseMs, maxPauseMs), this.closing);
	}

	/** Other attempts may fail, in any order, until one is stored. Resolves to false if n8n could not store it. */
	private async retryFirst(patience: number): Promise<boolean> {
		const [first] = this.failed;
		if (!first) return true;
		const storing = this.send(first);
		const isStored = await unlessAborted(storing, createTimeoutSignal(patience), this.closing);
		if (isStored === false) return false;
		this.failed = this.failed.filter(({ order }) => order !== first.order);
		return true;
	}
}
