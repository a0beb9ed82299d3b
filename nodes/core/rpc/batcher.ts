import { sleep } from 'n8n-workflow';
import type { RequestFailure, Retry } from '../errors/requestFailure';
import type { Pacer } from '../pacing/pacer';
import { hasRetryTime, withRetryTime } from '../pacing/retry';
import type { Stop } from '../pacing/stop';
import { largest } from '../values/numbers';
import type { CallOutcome, Exchange, FailedExchange } from './exchange';
import type { RpcRequest } from './request';

interface PendingCall {
	readonly request: RpcRequest;
	/** In bytes. */
	readonly size: number;
	/** How many requests with this call have failed. */
	attempt: number;
	resolve(result: unknown): void;
	reject(reason: unknown): void;
}

type Batch = readonly PendingCall[];

/** The failure of a call that failed in a request of its own, where a batch held one. */
type LoneFailure = RequestFailure | undefined;

/** Failures of single calls in a row after which the server is taken to be down. */
const MAX_FAILED_ALONE = 5;
/** Payment, permission, method, media type, law: a smaller batch gets the same. */
const SIZE_INDEPENDENT = [402, 403, 405, 415, 451];
const LOST = { because: 'lost' } as const;
/** Retries are due at multiples of so many milliseconds, so that they share a batch again. */
const RETRY_GRID = 50;

/**
 * Sends calls that only read: those of one tick in batches, a few requests at a time. A batch that fails as a whole is
 * split until each call is answered or fails alone, and the size that worked is kept for the run. Calls that a rate
 * limit refused are retried without the rest of their batch.
 */
export class Batcher {
	private readonly queue = new CallQueue();
	private isDraining = false;
	private hasAnswered = false;
	/** Calls in a row that failed alone, with no answer in between. */
	private failedAlone = 0;

	constructor(
		private readonly exchange: Exchange,
		private readonly pacer: Pacer,
		private readonly stop: Stop,
		/** The most calls that the server takes in one request, as far as is known. */
		private maxSize: number,
	) {}

	async call(request: RpcRequest): Promise<unknown> {
		return await new Promise((resolve, reject) => {
			this.queue.add({ request, size: bodySize(request), attempt: 0, resolve, reject });
			void this.drain();
		});
	}

	private async drain(): Promise<void> {
		if (this.isDraining) return;
		this.isDraining = true;
		while (!this.queue.isEmpty) {
			await this.pacer.semaphore.acquire();
			// Calls that follow from responses just received join this batch.
			await sleep(0);
			const most = Math.min(this.maxSize, this.pacer.rateLimit.burst);
			void this.sendInSlot(this.queue.take(most));
		}
		this.isDraining = false;
	}

	private async sendInSlot(batch: Batch): Promise<void> {
		try {
			await this.send(batch);
		} catch (reason) {
			rejectAll(batch, reason);
		} finally {
			this.pacer.semaphore.release();
		}
	}

	private async send(batch: Batch): Promise<LoneFailure> {
		if (batch.length > this.maxSize) return this.startOver(batch);
		await this.pacer.rateLimit.waitTurn(batch.length);
		const result = await this.exchange(batch.map(({ request }) => request) as [RpcRequest]);
		if (!('requestFailure' in result)) {
			this.hasAnswered = true;
			this.failedAlone = 0;
			return await this.settle(batch, result);
		}
		return await this.recover(batch, result);
	}

	/** A request failed as a whole. */
	private async recover(
		batch: Batch,
		{ requestFailure: failure, batchRejected }: FailedExchange,
	): Promise<LoneFailure> {
		const isBatchToBlame = batchRejected || failure.maybeExecuted;
		if (!isBatchToBlame || failure.retry?.because === 'limit') {
			const outcomes = batch.map(() => ({ failure }));
			return await this.settle(batch, outcomes);
		}
		if (batch.length === 1) return await this.retryAlone(batch, failure);
		if (this.failedAlone >= MAX_FAILED_ALONE) return rejectAll(batch, failure);
		if (!batchRejected) return await this.resend(batch);
		const isSizeToBlame = !SIZE_INDEPENDENT.includes(failure.httpCode ?? 0);
		return await (isSizeToBlame ? this.split(batch) : this.probe(batch, failure));
	}

	private async settle(batch: Batch, outcomes: readonly CallOutcome[]): Promise<LoneFailure> {
		this.pacer.rateLimit.countAnswered(outcomes.filter((one) => !retryOf(one)).length);
		this.pacer.rateLimit.countRefused(
			outcomes.filter((one) => retryOf(one)?.because === 'limit').length,
		);
		const retries = new Map<number, PendingCall[]>();
		const unresolved: PendingCall[] = [];
		let loneFailure: LoneFailure;
		const jitter = Math.random();
		batch.forEach((call, index) => {
			const outcome = outcomes[index];
			if (!outcome || 'unresolved' in outcome) return unresolved.push(call);
			if ('result' in outcome) return call.resolve(outcome.result);
			const { failure } = outcome;
			const delay = this.retryDelay([call], failure.retry, jitter);
			if (delay === undefined) {
				if (batch.length === 1) loneFailure = failure;
				return call.reject(withRetryTime(failure));
			}
			const due = Math.ceil(delay / RETRY_GRID) * RETRY_GRID;
			retries.set(due, [...(retries.get(due) ?? []), call]);
		});
		retries.forEach((calls, delay) => void this.requeueAfter(delay, calls));
		if (unresolved.length === 0) return loneFailure;
		return await this.sendUnresolved(unresolved, batch.length);
	}

	private async sendUnresolved(calls: Batch, batchSize: number): Promise<LoneFailure> {
		if (calls.length <= batchSize / 2) return await this.send(calls);
		this.maxSize = Math.min(this.maxSize, batchSize - calls.length);
		return this.startOver(calls);
	}

	/** The batch was too large: its calls have all their retries again, in smaller ones. */
	private startOver(calls: Batch): undefined {
		for (const call of calls) call.attempt = 0;
		this.requeue(calls);
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

	private async retryAlone(single: Batch, failure: RequestFailure): Promise<LoneFailure> {
		const delay = this.retryDelay(single, failure.retry);
		if (delay !== undefined) {
			await this.pauseOutsideSlot(delay);
			return await this.send(single);
		}
		this.failedAlone++;
		return rejectAll(single, failure);
	}

	/** Once as it is, then in parts. */
	private async resend(batch: Batch): Promise<LoneFailure> {
		const isFirst = batch.every(({ attempt }) => attempt === 0);
		const delay = this.retryDelay(batch, LOST);
		if (delay !== undefined) {
			await this.pauseOutsideSlot(delay);
			if (isFirst) return await this.send(batch);
		}
		// A server that has not answered yet may be down: one call alone tells.
		return await this.split(batch, this.hasAnswered ? 0 : 1);
	}

	/** If no call fails even alone, the size was to blame. */
	private async split(batch: Batch, singles = 0): Promise<LoneFailure> {
		let failure: LoneFailure;
		for (const part of partsOf(batch, singles)) {
			failure = (await this.send(part)) ?? failure;
			if (failure) await timeToStop();
		}
		if (!failure) this.maxSize = Math.min(this.maxSize, Math.ceil(batch.length / 2));
		return failure;
	}

	/** Whether the server refuses all calls, or batches: a second one is tried, as one may be refused for what it asks. */
	private async probe(batch: Batch, { httpCode = 0 }: RequestFailure): Promise<LoneFailure> {
		let failure: LoneFailure;
		let tried = 0;
		do {
			failure = await this.send(batch.slice(tried, ++tried));
			if (failure) await timeToStop();
		} while (failure?.httpCode === httpCode && tried < 2);
		const others = batch.slice(tried);
		if (others.length === 0) return failure;
		if (failure?.httpCode === httpCode) return rejectAll(others, failure);
		return (await this.probePair(others, failure !== undefined)) ?? failure;
	}

	/** Whether the server takes no batches, or refused this one for a call in it. */
	private async probePair(calls: Batch, isCulpritFound: boolean): Promise<LoneFailure> {
		const [pair, others] = [calls.slice(0, 2), calls.slice(2)];
		if (pair.length === 1) this.maxSize = 1;
		const failure = await this.send(pair);
		if (others.length === 0) return failure;
		const takesNoBatches = this.maxSize === 1;
		const rest = takesNoBatches || isCulpritFound ? this.send(others) : this.split(others);
		return (await rest) ?? failure;
	}

	/** Counts the attempt. Undefined when the calls are not sent again. */
	private retryDelay(calls: Batch, retry: Retry | undefined, jitter?: number): number | undefined {
		const attempt = largest(calls.map((call) => call.attempt));
		if (!hasRetryTime(retry)) for (const call of calls) call.attempt++;
		return this.pacer.retryDelay(retry, attempt, jitter);
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

/** So many single calls, then the halves of the rest. */
function partsOf(batch: Batch, singles: number): Batch[] {
	const middle = singles + Math.ceil((batch.length - singles) / 2);
	const parts = [batch.slice(0, singles), batch.slice(singles, middle), batch.slice(middle)];
	return parts.filter(({ length }) => length > 0);
}

/** A call that failed may stop the run, in this tick: before anything else is sent. */
async function timeToStop(): Promise<void> {
	await sleep(0);
}

function rejectAll<Reason>(calls: Batch, reason: Reason): Reason {
	for (const { reject } of calls) reject(reason);
	return reason;
}

function retryOf(outcome: CallOutcome): Retry | undefined {
	return 'failure' in outcome ? outcome.failure.retry : undefined;
}

/** Nodes refuse bodies over 1 MB. */
const MAX_BODY = 900_000;
const ENVELOPE = 60;

function bodySize({ method, params }: RpcRequest): number {
	return Buffer.byteLength(JSON.stringify([method, params])) + ENVELOPE;
}

/** Calls to send, by path: only those of one path can share a batch. */
class CallQueue {
	private readonly paths = new Map<string, PendingCall[]>();

	get isEmpty(): boolean {
		return this.paths.size === 0;
	}

	add(call: PendingCall): void {
		this.ofPath(call).push(call);
	}

	/** Ahead of the others of their path. */
	addFirst(calls: Batch): void {
		const [first] = calls;
		if (first) this.paths.set(pathKey(first), [...calls, ...this.ofPath(first)]);
	}

	/** Calls of one path: at least one, and no more than `most` and a body hold. */
	take(most: number): PendingCall[] {
		const [key, calls] = this.paths.entries().next().value ?? ['', []];
		let count = 0;
		let size = 0;
		for (const call of calls.slice(0, most)) {
			size += call.size;
			if (count > 0 && size > MAX_BODY) break;
			count++;
		}
		const batch = calls.splice(0, count);
		if (calls.length === 0) this.paths.delete(key);
		return batch;
	}

	private ofPath(call: PendingCall): PendingCall[] {
		const key = pathKey(call);
		const calls = this.paths.get(key) ?? [];
		this.paths.set(key, calls);
		return calls;
	}
}

function pathKey({ request }: PendingCall): string {
	return JSON.stringify(request.path);
}
