import { sleep } from 'n8n-workflow';
import type { RequestFailure, RetryReason } from '../../errors/requestFailure';
import type { Pacer } from '../../net/pacing/pacer';
import { hasRetryTime, withRetryTime } from '../../net/pacing/retry';
import type { Stop } from '../../net/pacing/stop';
import { findLargest } from '../../values/numbers';
import { BatchSize, NO_SIZE_OUTCOME, mergeOutcomes, type BatchOutcome } from './batchSize';
import { countBodyBytes, CallQueue, type Batch, type PendingCall } from './callQueue';
import type { CallOutcome, Exchange, FailedExchange } from './exchange';
import type { RpcRequest } from './request';

/** After this many failures in a row of calls that were sent alone, the server counts as down. */
const MAX_LONE_FAILURES = 5;
/**
 * HTTP statuses that a smaller batch would get, too, because they are about payment, permission, method, media type
 * or law.
 */
const SIZE_INDEPENDENT_STATUSES = [402, 403, 405, 415, 451];
/** The HTTP status for a request body that is too large. */
const TOO_LARGE_STATUS = 413;
const LOST_RETRY = { because: 'lost' } as const;
/** Retries begin at multiples of this many milliseconds, so that several of them share a batch. */
const RETRY_GRID_MS = 50;

/**
 * Sends calls that only read. Calls of the same tick share a batch, and a few batches run at the same time. A failed batch is split until
 * each call is answered or fails alone. Calls that a rate limit refused are retried without the calls that were answered.
 */
export class Batcher {
	private readonly queue = new CallQueue();
	private readonly batchSize: BatchSize;
	private isDraining = false;
	private hasAnswered = false;
	/** How many calls in a row failed although they were sent alone. */
	private loneFailures = 0;

	constructor(
		private readonly exchange: Exchange,
		private readonly pacer: Pacer,
		private readonly stop: Stop,
		/** The largest number of calls in one request. */
		mostCalls: number,
	) {
		this.batchSize = new BatchSize(mostCalls);
	}

	async call(request: RpcRequest): Promise<unknown> {
		return await new Promise((resolve, reject) => {
			this.queue.add({ request, bytes: countBodyBytes(request), attempt: 0, resolve, reject });
			void this.drain();
		});
	}

	private async drain(): Promise<void> {
		if (this.isDraining) return;
		this.isDraining = true;
		while (!this.queue.isEmpty) {
			await this.pacer.semaphore.acquire();
			// The batch waits for one tick, so that calls caused by new responses can join it.
			await sleep(0);
			const most = Math.min(this.batchSize.nextSize, this.pacer.maxRequestCalls);
			void this.sendInSlot(this.queue.take(most));
		}
		this.isDraining = false;
	}

	private async sendInSlot(batch: Batch): Promise<void> {
		const isTrial = this.batchSize.beginTrial(batch.length);
		try {
			this.batchSize.recordOutcome(batch.length, await this.send(batch), isTrial);
		} catch (reason) {
			rejectAll(batch, reason);
		} finally {
			this.pacer.semaphore.release();
		}
	}

	private async send(batch: Batch): Promise<BatchOutcome> {
		if (this.batchSize.isTooLarge(batch.length)) return this.startOver(batch);
		await this.pacer.rateLimit.waitTurn(batch.length);
		const result = await this.exchange(batch.map(({ request }) => request) as [RpcRequest]);
		if (!('requestFailure' in result)) {
			this.hasAnswered = true;
			this.loneFailures = 0;
			return await this.settle(batch, result);
		}
		return await this.recover(batch, result);
	}

	/** Handles the failure of a whole request. */
	private async recover(
		batch: Batch,
		{ requestFailure: failure, batchRejected }: FailedExchange,
	): Promise<BatchOutcome> {
		const isBatchToBlame = batchRejected || failure.maybeExecuted;
		if (!isBatchToBlame || failure.retry?.because === 'limit') {
			const { failure: lone } = await this.settle(
				batch,
				batch.map(() => ({ failure })),
			);
			return lone ? buildFailedOutcome(lone) : NO_SIZE_OUTCOME;
		}
		if (batch.length === 1) return await this.retryAlone(batch, failure);
		if (this.loneFailures >= MAX_LONE_FAILURES)
			return buildFailedOutcome(rejectAll(batch, failure));
		if (!batchRejected) return await this.resend(batch);
		const isSizeToBlame = !SIZE_INDEPENDENT_STATUSES.includes(failure.httpCode ?? 0);
		if (!isSizeToBlame) return await this.probe(batch, failure);
		return await this.split(batch, { isSizeToBlame: failure.httpCode === TOO_LARGE_STATUS });
	}

	private async settle(batch: Batch, outcomes: readonly CallOutcome[]): Promise<BatchOutcome> {
		this.pacer.rateLimit.countAnswered(outcomes.filter((one) => !getRetryReason(one)).length);
		this.pacer.rateLimit.countRefused(
			outcomes.filter((one) => getRetryReason(one)?.because === 'limit').length,
		);
		const retries = new Map<number, PendingCall[]>();
		const unresolved: PendingCall[] = [];
		let loneFailure: RequestFailure | undefined;
		const jitter = Math.random();
		batch.forEach((call, index) => {
			const outcome = outcomes[index];
			if (!outcome || 'unresolved' in outcome) return unresolved.push(call);
			if ('result' in outcome) return call.resolve(outcome.result);
			const { failure } = outcome;
			const delay = this.getRetryDelay([call], failure.retry, jitter);
			if (delay === undefined) {
				if (batch.length === 1) loneFailure = failure;
				return call.reject(withRetryTime(failure));
			}
			const due = Math.ceil(delay / RETRY_GRID_MS) * RETRY_GRID_MS;
			retries.set(due, [...(retries.get(due) ?? []), call]);
		});
		retries.forEach((calls, delay) => void this.requeueAfter(delay, calls));
		const answered = batch.length - unresolved.length;
		if (unresolved.length === 0) return { failure: loneFailure, answered, tooLarge: [] };
		return { ...(await this.sendUnresolved(unresolved, answered)), answered };
	}

	private async sendUnresolved(calls: Batch, answered: number): Promise<BatchOutcome> {
		if (calls.length <= answered) return await this.send(calls);
		this.batchSize.shrinkTo(answered);
		return this.startOver(calls);
	}

	/** Puts the calls of a batch that was too large back into the queue. They may be retried as often as new calls. */
	private startOver(calls: Batch): BatchOutcome {
		for (const call of calls) call.attempt = 0;
		this.requeue(calls);
		return NO_SIZE_OUTCOME;
	}

	private requeue(calls: Batch): void {
		this.queue.addFirst(calls);
		void this.drain();
	}

	private async requeueAfter(delay: number, calls: Batch): Promise<void> {
		try {
			await this.stop.pause(delay);
			this.requeue(calls);
		} catch (reason) {
			rejectAll(calls, reason);
		}
	}

	private async retryAlone(single: Batch, failure: RequestFailure): Promise<BatchOutcome> {
		const delay = this.getRetryDelay(single, failure.retry);
		if (delay !== undefined) {
			await this.pauseOutsideSlot(delay);
			return await this.send(single);
		}
		this.loneFailures++;
		return buildFailedOutcome(rejectAll(single, failure));
	}

	/** Sends a failed batch again: once unchanged, and then in parts. */
	private async resend(batch: Batch): Promise<BatchOutcome> {
		const isFirst = batch.every(({ attempt }) => attempt === 0);
		// Smaller batches are known to work, so this batch is split at once.
		if (this.batchSize.isUntried(batch.length)) return await this.split(batch);
		const delay = this.getRetryDelay(batch, LOST_RETRY);
		if (delay !== undefined) {
			await this.pauseOutsideSlot(delay);
			if (isFirst) return await this.send(batch);
		}
		// If the server has never answered, it may be down. A single call is sent first to find out.
		return await this.split(batch, { singles: this.hasAnswered ? 0 : 1 });
	}

	/**
	 * Sends a failed batch in parts. If all parts succeed, the size was probably too large. After the second such
	 * failure, the size is reduced.
	 */
	private async split(
		batch: Batch,
		{ singles = 0, isSizeToBlame = false } = {},
	): Promise<BatchOutcome> {
		const parts: Array<{ length: number; outcome: BatchOutcome }> = [];
		for (const part of splitBatch(batch, singles)) {
			const outcome = await this.send(part);
			parts.push({ length: part.length, outcome });
			if (outcome.failure) await yieldToStop();
		}
		const outcome = mergeOutcomes(batch.length, parts);
		const { failure, answered, tooLarge } = outcome;
		if (failure || tooLarge.length < (isSizeToBlame ? 1 : 2)) return outcome;
		this.batchSize.shrinkTo(answered);
		return { answered, tooLarge: [] };
	}

	/**
	 * Finds out whether the server refuses all calls, or only batches. It sends several single calls, because one call
	 * may be refused for its content.
	 */
	private async probe(batch: Batch, { httpCode = 0 }: RequestFailure): Promise<BatchOutcome> {
		let outcome: BatchOutcome;
		let culprit: RequestFailure | undefined;
		let tried = 0;
		// A server that has already answered is unlikely to refuse all calls, so more single calls are tried.
		const most = Math.min(batch.length, this.hasAnswered ? MAX_LONE_FAILURES : 2);
		do {
			outcome = await this.send(batch.slice(tried, ++tried));
			culprit ??= outcome.failure;
			if (outcome.failure) await yieldToStop();
		} while (outcome.failure?.httpCode === httpCode && tried < most);
		const others = batch.slice(tried);
		if (others.length === 0) return { ...outcome, failure: culprit };
		const { failure } = outcome;
		if (failure?.httpCode === httpCode) return buildFailedOutcome(rejectAll(others, failure));
		const rest = await this.probePair(others, culprit !== undefined);
		return { ...rest, failure: rest.failure ?? culprit };
	}

	/** Finds out whether the server refuses all batches, or refused one batch because of a call in it. */
	private async probePair(calls: Batch, isCulpritFound: boolean): Promise<BatchOutcome> {
		const [pair, others] = [calls.slice(0, 2), calls.slice(2)];
		const first = await this.send(pair);
		if (pair.length === 1 && !isCulpritFound && !first.failure) this.batchSize.shrinkTo(1);
		if (others.length === 0) return first;
		const isWhole = this.batchSize.takesNoBatches || isCulpritFound;
		const rest = await (isWhole ? this.send(others) : this.split(others));
		const answered = Math.max(first.answered, rest.answered);
		return { failure: rest.failure ?? first.failure, answered, tooLarge: [] };
	}

	/** Counts an attempt, and returns the delay before the next one; undefined if the calls must not be sent again. */
	private getRetryDelay(
		calls: Batch,
		retry: RetryReason | undefined,
		jitter?: number,
	): number | undefined {
		const attempt = findLargest(calls.map((call) => call.attempt));
		if (!hasRetryTime(retry)) for (const call of calls) call.attempt++;
		return this.pacer.getRetryDelay(retry, attempt, jitter);
	}

	private async pauseOutsideSlot(milliseconds: number): Promise<void> {
		this.pacer.semaphore.release();
		try {
			await this.stop.pause(milliseconds);
		} finally {
			await this.pacer.semaphore.acquire();
		}
	}
}

/** Splits a batch into some single calls and two halves of the rest. */
function splitBatch(batch: Batch, singles: number): Batch[] {
	const middle = singles + Math.ceil((batch.length - singles) / 2);
	const parts = [batch.slice(0, singles), batch.slice(singles, middle), batch.slice(middle)];
	return parts.filter(({ length }) => length > 0);
}

/** Waits for one tick, because a failed call may stop the run before anything else is sent. */
async function yieldToStop(): Promise<void> {
	await sleep(0);
}

function buildFailedOutcome(failure: RequestFailure): BatchOutcome {
	return { ...NO_SIZE_OUTCOME, failure };
}

function rejectAll<Reason>(calls: Batch, reason: Reason): Reason {
	for (const { reject } of calls) reject(reason);
	return reason;
}

function getRetryReason(outcome: CallOutcome): RetryReason | undefined {
	return 'failure' in outcome ? outcome.failure.retry : undefined;
}
