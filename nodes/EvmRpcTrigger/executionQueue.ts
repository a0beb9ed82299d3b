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
	/** The block up to which the chain was read. n8n should store this position in the same step as the execution. */
	readonly cursor?: SavedCursor;
}

/** The state of the trigger that n8n stores. */
export interface Saved {
	/** The position up to which executions were started. */
	readonly cursor?: SavedCursor;
	/** The executions that were started, but that n8n may not have stored. */
	readonly pending: PendingExecutions;
}

export interface ExecutionStorage {
	load(): Saved;
	/** Gives the state to n8n, which stores it with the next execution or when a workflow is activated. */
	save(saved: Saved & { readonly cursor: SavedCursor }): void;
}

/**
 * In these modes, the trigger continues at the saved block. When a user activates the workflow, it starts at the
 * latest block.
 */
const RESUMING_MODES = [...STARTING_MODES, 'update'];

/** Creates a storage that keeps the state in n8n's static data. Nothing is kept in a manual execution. */
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
			// After a restart, the n8n process that should have stored the executions is gone, so they may be lost.
			pending: STARTING_MODES.includes(mode)
				? parsePendingExecutions(data.starts)
				: NO_PENDING_EXECUTIONS,
		}),
		// Nothing is saved while the trigger closes: events found then are not emitted, so they must not count as
		// emitted.
		save: ({ cursor, pending }) => {
			if (closing.aborted) return;
			data.saved = copyForStorage(cursor) as unknown as IDataObject;
			// An n8n version without keys for executions could not refuse repeated executions, so the executions are not
			// saved for it.
			if (isKeySupported(context)) data.starts = deepCopy(pending) as unknown as IDataObject;
		},
	};
}

/** In milliseconds. */
export interface RetryTiming {
	/** The shortest and the longest pause before a retry. */
	readonly pauseMs: number;
	readonly maxPauseMs: number;
	/** If n8n cannot store an execution, it usually reports the failure within this time. */
	readonly storingMs: number;
	/**
	 * If n8n reports nothing for this long, it has very likely stored the execution, and a kill of n8n does not lose
	 * it.
	 */
	readonly settlingMs: number;
	/**
	 * If n8n has reported nothing about an execution for this long, its items may be dropped to make room. If n8n's
	 * database is frozen, n8n may report a failure even later, and the items are then lost.
	 */
	readonly failingMs: number;
}

interface QueuedExecution extends PendingExecution {
	readonly order: number;
}

interface StartedExecution extends QueuedExecution {
	readonly startedAt: number;
}

/** The highest number of items whose executions have no result yet. The items are kept for a retry. */
const MAX_IN_FLIGHT_ITEMS = 20_000;
/**
 * The highest number of items in executions that n8n may not have stored yet. n8n's static data must hold all of
 * them.
 */
const MAX_PENDING_ITEMS = 2_000;

/**
 * Starts executions in order. Executions that n8n could not store, perhaps because its database is down, are retried
 * one at a time before later executions start. The cursor is saved with each start, together with the executions
 * that n8n may not have stored. Only this class saves the trigger's state.
 */
export class ExecutionQueue {
	/** The position up to which executions were started. */
	private cursor: SavedCursor | undefined;
	/** Executions that were started, but whose result n8n has not reported. */
	private readonly inFlight = new Map<number, StartedExecution>();
	/** Executions that must be retried, in order. */
	private failed: readonly QueuedExecution[] = [];
	private isRetrying = false;
	private isSaved = true;
	private restart = new Restart(NO_PENDING_EXECUTIONS);
	private restarting: Promise<void> | undefined;
	private succeeded: string | undefined;
	/**
	 * False if n8n does not report the results of executions. Such a version of n8n may not know keys of executions
	 * either.
	 */
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
	 * Loads the saved cursor. If the user's choice is unchanged, it also loads the executions that n8n may not have
	 * stored.
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

	/** Saves the cursor without starting an execution. */
	saveCursor(cursor: SavedCursor): void {
		this.cursor = cursor;
		this.save();
	}

	/** Adds an execution, which starts after all earlier executions. */
	add({ items, key, cursor = this.cursor }: Execution): void {
		this.cursor = cursor;
		this.enqueue({ items, key, at: Date.now() });
	}

	/**
	 * After n8n was killed, starts again the executions that it may not have stored, under the same keys. This happens
	 * only once, even if the connection is lost meanwhile.
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

	/** Waits while too many executions have no result yet, or while an execution must be retried. */
	async waitForRoom(closed: AbortSignal): Promise<void> {
		while (!this.makeRoom() && !closed.aborted) {
			const change = new Promise<void>((resolve) => (this.wake = resolve));
			await unlessAborted(change, createTimeoutSignal(this.timing.storingMs), closed);
		}
	}

	/**
	 * Forgets the oldest executions without a report from n8n, if the limit is reached and they are old enough.
	 * Returns whether more executions may start.
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

	/** Gives the executions that n8n may not have stored. */
	private getPending(): PendingExecutions {
		if (!this.isReported) return NO_PENDING_EXECUTIONS;
		const since = Date.now() - this.timing.settlingMs;
		const young = [...this.inFlight.values()].filter(({ startedAt }) => startedAt >= since);
		const all = new Map([...this.failed, ...young].map((one) => [one.order, one]));
		const ours = [...all.values()].map(({ key, at, items }) => ({ key, at, items }));
		const underWay = [...ours, ...this.restart.undecided].sort((a, b) => a.at - b.at);
		return { underWay, succeeded: this.succeeded };
	}

	/** Starts an execution. Resolves to false if n8n could not store it. */
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
			// A retry has just succeeded, so n8n's database works again, and a long execution must not delay the other retries.
			while (isStored && this.failed.length > 0) isStored = await this.retryFirst(pauseMs / 10);
		}
		this.isRetrying = false;
		this.wake();
	}

	private async backOff(attempt: number): Promise<void> {
		const { pauseMs, maxPauseMs } = this.timing;
		await wait(computeBackoff(attempt, pauseMs, maxPauseMs), this.closing);
	}

	/** Starts the first of the failed executions again. Resolves to false if n8n could not store it. */
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
