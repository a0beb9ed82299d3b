import { sleep } from 'n8n-workflow';
import { withDoubt, type RequestFailure, type Retry } from '../errors/requestFailure';
import type { Stop } from '../pacing/stop';
import type { HttpClient } from '../http/types';
import type { RpcRequest } from './rpcRequest';
import type { TransportOptions } from './transportOptions';
import { saysWhen, waitBeforeRetry } from '../pacing/retry';
import { sendCalls, REFUSED, type CallOutcome } from './rpcReplies';
import { Semaphore } from '../pacing/semaphore';
import { RateLimit } from '../pacing/rateLimit';

interface Pending {
	readonly request: RpcRequest;
	readonly size: number;
	attempt: number;
	resolve(result: unknown): void;
	reject(reason: unknown): void;
}

/** Nodes refuse bodies over 1 MB. */
const LARGEST_BODY = 900_000;
const ENVELOPE = 60;
const MEETING = 50;

/**
 * Gathers calls into batches. A server that refuses a batch is asked again in halves, and the size it took is
 * kept for the rest of the run; a call that a rate limit refused waits alone, the others go on.
 */
export class Batcher {
	private readonly queues = new Map<string, Pending[]>();
	private readonly semaphore: Semaphore;
	private readonly rateLimit: RateLimit;
	private largest: number;
	private isPumping = false;

	constructor(
		private readonly http: HttpClient,
		private readonly options: TransportOptions,
		private readonly stop: Stop,
	) {
		this.semaphore = new Semaphore(options.concurrency, stop);
		this.rateLimit = new RateLimit(stop);
		this.largest = options.batchSize;
	}

	async call(request: RpcRequest): Promise<unknown> {
		const size = Buffer.byteLength(JSON.stringify([request.method, request.params])) + ENVELOPE;
		return await new Promise((resolve, reject) => {
			this.enqueue([{ request, size, attempt: 0, resolve, reject }]);
		});
	}

	private enqueue(calls: readonly Pending[], first = false): void {
		for (const call of calls) {
			const queue = this.queues.get(call.request.path) ?? [];
			if (first) queue.unshift(call);
			else queue.push(call);
			this.queues.set(call.request.path, queue);
		}
		if (!this.isPumping) void this.pump();
	}

	private async pump(): Promise<void> {
		this.isPumping = true;
		while (this.queues.size > 0) {
			await this.semaphore.acquire();
			// A moment for the calls that earlier answers are about to set off, so that batches are full.
			await sleep(0);
			const batch = this.take();
			void this.send(batch).finally(() => this.semaphore.release());
		}
		this.isPumping = false;
	}

	/** The calls of the next batch: of one path, no more than the server and its limits take. */
	private take(): Pending[] {
		const [path, queue] = this.queues.entries().next().value ?? ['', []];
		const until = queue.findIndex(({ request }) => request.once);
		const together = until < 0 ? queue.length : Math.max(until, 1);
		const most = Math.min(this.largest, this.rateLimit.burst, together);
		let count = 0;
		let size = 0;
		while (count < most && (count === 0 || size + (queue[count]?.size ?? 0) < LARGEST_BODY)) {
			size += queue[count]?.size ?? 0;
			count++;
		}
		const batch = queue.splice(0, count);
		if (queue.length === 0) this.queues.delete(path);
		return batch;
	}

	private async send(batch: readonly Pending[]): Promise<void> {
		try {
			await this.rateLimit.waitTurn(batch.length);
			const requests = batch.map(({ request }) => request);
			const outcomes = await sendCalls(this.http, requests, this.options.timeout);
			if (outcomes === REFUSED || wasCutTwice(batch, outcomes)) this.halve(batch);
			else this.settle(batch, outcomes);
		} catch (error) {
			batch.forEach(({ reject }) => reject(error));
		}
	}

	private halve(batch: readonly Pending[]): void {
		this.largest = Math.min(this.largest, Math.ceil(batch.length / 2));
		this.enqueue([...batch].reverse(), true);
	}

	private settle(batch: readonly Pending[], outcomes: readonly CallOutcome[]): void {
		this.rateLimit.countAnswered(outcomes.filter((outcome) => !retryOf(outcome)).length);
		this.rateLimit.countRefused(outcomes.filter((outcome) => retryOf(outcome) === 'limit').length);
		const again = new Map<number, Pending[]>();
		const jitter = Math.random();
		batch.forEach((call, index) => {
			const outcome = outcomes[index];
			if (!outcome) return;
			if ('result' in outcome) return call.resolve(outcome.result);
			const wait = this.waitBefore(call, outcome.failure, jitter);
			if (wait === undefined) return call.reject(reasonOf(call, outcome.failure));
			again.set(wait, [...(again.get(wait) ?? []), call]);
		});
		again.forEach((calls, wait) => this.enqueueLater(calls, wait));
	}

	/** The waits of a batch's calls are made to meet, so that they travel together again. */
	private waitBefore(call: Pending, { retry }: RequestFailure, jitter: number): number | undefined {
		const wait = waitBeforeRetry(retry, call.attempt, this.options.maxRetries, jitter);
		if (call.request.once || wait === undefined || this.rateLimit.isStuck) return undefined;
		if (!saysWhen(retry)) call.attempt++;
		return Math.ceil(wait / MEETING) * MEETING;
	}

	private enqueueLater(calls: readonly Pending[], wait: number): void {
		this.stop.pause(wait).then(
			() => this.enqueue([...calls].reverse(), true),
			(reason) => calls.forEach(({ reject }) => reject(reason)),
		);
	}
}

function retryOf(outcome: CallOutcome): Retry['because'] | undefined {
	return 'failure' in outcome ? outcome.failure.retry?.because : undefined;
}

/** Some servers answer a batch that is too large by closing the connection. Once may be chance. */
function wasCutTwice(batch: readonly Pending[], outcomes: readonly CallOutcome[]): boolean {
	const isCut = outcomes.every((outcome) => retryOf(outcome) === 'cut');
	return isCut && batch.length > 1 && batch.some(({ attempt }) => attempt > 0);
}

function reasonOf({ request }: Pending, failure: RequestFailure): RequestFailure {
	return request.once ? withDoubt(failure) : failure;
}
