import type { RequestFailure, Retry } from '../../errors/requestFailure';
import type { Pacer } from '../../pacing/pacer';
import { saysWhen, withReturn } from '../../pacing/retry';
import type { Stop } from '../../pacing/stop';
import type { RpcRequest } from '../rpcRequest';
import type { Pending } from './callQueue';
import type { Exchange } from './exchange';
import type { CallOutcome } from './replies';

const MEETING = 50;
/** When so many calls in a row failed even alone, it is the server, and no more batches are taken apart. */
const HOPELESS = 5;
/** The server takes no batch at all; where it refuses a single call too, it refuses every call. */
const WHATEVER_ITS_SIZE = [403, 405, 415];
const LOST = { because: 'lost' } as const;

/**
 * Delivers batches. A batch is a bet on the server, and its calls do not pay when it is lost: it is taken apart until
 * each call is answered or fails alone, and the size that worked is kept for the run. A call that a rate limit
 * refused waits alone, the others go on.
 */
export class Delivery {
	private hasAnswered = false;
	private failedAlone = 0;

	constructor(
		private readonly exchange: Exchange,
		private readonly pacer: Pacer,
		private readonly stop: Stop,
		/** The most calls in one request. */
		public largest: number,
		/** Puts calls back in line, before those that were never sent. */
		private readonly putBack: (calls: readonly Pending[]) => void,
	) {}

	/** Sends calls together, and where that fails in parts. Gives the failure of a call that failed even alone. */
	async deliver(batch: readonly Pending[]): Promise<RequestFailure | undefined> {
		if (batch.length > this.largest) return this.giveBack(batch);
		await this.pacer.rateLimit.waitTurn(batch.length);
		const answer = await this.exchange(batch.map(requestOf) as [RpcRequest]);
		if (!('whole' in answer)) {
			this.hasAnswered = true;
			this.failedAlone = 0;
			return await this.settle(batch, answer);
		}
		const { whole, isRefusal } = answer;
		if (whole.retry?.because === 'limit' || (!isRefusal && !whole.unsure)) {
			return await this.settle(
				batch,
				batch.map(() => ({ failure: whole })),
			);
		}
		if (batch.length === 1) return await this.alone(batch, whole);
		return isRefusal ? await this.smaller(batch, whole) : await this.again(batch, whole);
	}

	private async settle(
		batch: readonly Pending[],
		outcomes: readonly CallOutcome[],
	): Promise<RequestFailure | undefined> {
		this.pacer.rateLimit.countAnswered(outcomes.filter((one) => !retryOf(one)).length);
		this.pacer.rateLimit.countRefused(
			outcomes.filter((one) => retryOf(one)?.because === 'limit').length,
		);
		const later = new Map<number, Pending[]>();
		const left: Pending[] = [];
		const jitter = Math.random();
		batch.forEach((call, index) => {
			const outcome = outcomes[index];
			if (!outcome || 'unanswered' in outcome) return left.push(call);
			if ('result' in outcome) return call.resolve(outcome.result);
			const wait = this.waitBefore([call], outcome.failure.retry, jitter);
			if (wait === undefined) return call.reject(withReturn(outcome.failure));
			// Waits are made to meet, so that calls travel together again.
			const meeting = Math.ceil(wait / MEETING) * MEETING;
			later.set(meeting, [...(later.get(meeting) ?? []), call]);
		});
		later.forEach((calls, wait) => this.enqueueLater(calls, wait));
		return left.length > 0 ? await this.askRest(left, batch.length) : undefined;
	}

	/** The calls that an answer left out, or a batch whose answers grew too large. */
	private async askRest(
		left: readonly Pending[],
		size: number,
	): Promise<RequestFailure | undefined> {
		if (left.length <= size / 2) return await this.deliver(left);
		this.largest = Math.min(this.largest, size - left.length);
		return this.giveBack(left);
	}

	/** The size is to blame: these calls begin anew, in smaller batches. */
	private giveBack(calls: readonly Pending[]): undefined {
		for (const call of calls) call.attempt = 0;
		this.putBack(calls);
	}

	/** A request with one call failed. */
	private async alone(
		batch: readonly Pending[],
		failure: RequestFailure,
	): Promise<RequestFailure | undefined> {
		const wait = this.waitBefore(batch, failure.retry);
		if (wait !== undefined) {
			await this.pause(wait);
			return await this.deliver(batch);
		}
		this.failedAlone++;
		return fail(batch, failure);
	}

	/** A batch had no good answer: it is sent once more as it is, then in parts. */
	private async again(
		batch: readonly Pending[],
		failure: RequestFailure,
	): Promise<RequestFailure | undefined> {
		if (this.failedAlone >= HOPELESS) return fail(batch, failure);
		const isFirst = batch.every(({ attempt }) => attempt === 0);
		const wait = this.waitBefore(batch, LOST);
		if (wait !== undefined) {
			await this.pause(wait);
			if (isFirst) return await this.deliver(batch);
		}
		// Before anything was answered, one call alone tells whether the server answers at all.
		return await this.inParts(batch, this.hasAnswered ? 0 : 1);
	}

	/** The server takes no such batch. */
	private async smaller(
		batch: readonly Pending[],
		failure: RequestFailure,
	): Promise<RequestFailure | undefined> {
		if (this.failedAlone >= HOPELESS) return fail(batch, failure);
		const { httpCode = 0 } = failure;
		if (!WHATEVER_ITS_SIZE.includes(httpCode)) return await this.inParts(batch);
		const [first, others] = [batch.slice(0, 1), batch.slice(1)];
		const refusal = await this.deliver(first);
		if (refusal?.httpCode === httpCode) return fail(others, refusal);
		this.largest = 1;
		return this.giveBack(others);
	}

	/** When each call is answered in the end, it was the size. */
	private async inParts(batch: readonly Pending[], probe = 0): Promise<RequestFailure | undefined> {
		const half = probe + Math.ceil((batch.length - probe) / 2);
		const parts = [batch.slice(0, probe), batch.slice(probe, half), batch.slice(half)];
		let failure: RequestFailure | undefined;
		for (const part of parts.filter(({ length }) => length > 0)) {
			failure = (await this.deliver(part)) ?? failure;
		}
		if (!failure) this.largest = Math.min(this.largest, Math.ceil(batch.length / 2));
		return failure;
	}

	private waitBefore(
		calls: readonly Pending[],
		retry: Retry | undefined,
		jitter?: number,
	): number | undefined {
		const attempt = Math.max(...calls.map((call) => call.attempt));
		if (!saysWhen(retry)) for (const call of calls) call.attempt++;
		return this.pacer.waitBefore(retry, attempt, jitter);
	}

	/** Others may use the slot in the meantime. */
	private async pause(milliseconds: number): Promise<void> {
		this.pacer.semaphore.release();
		try {
			await this.stop.pause(milliseconds);
		} finally {
			await this.pacer.semaphore.acquire();
		}
	}

	private enqueueLater(calls: readonly Pending[], wait: number): void {
		this.stop.pause(wait).then(
			() => this.putBack(calls),
			(reason) => calls.forEach(({ reject }) => reject(reason)),
		);
	}
}

function requestOf({ request }: Pending): RpcRequest {
	return request;
}

function retryOf(outcome: CallOutcome): Retry | undefined {
	return 'failure' in outcome ? outcome.failure.retry : undefined;
}

function fail(calls: readonly Pending[], failure: RequestFailure): RequestFailure {
	for (const { reject } of calls) reject(failure);
	return failure;
}
