import type { RequestFailure, Retry } from '../errors/requestFailure';
import type { Pacer } from '../pacing/pacer';
import { withRetryTime } from '../pacing/retry';
import type { Stop } from '../pacing/stop';
import { waitBefore, type Pending } from './callQueue';
import type { Exchange } from './exchange';
import type { CallOutcome } from './replies';
import type { RpcRequest } from './request';
import { BatchSplitter } from './rescue';

const MEETING = 50;

/**
 * Delivers batches. A batch is a bet on the server, and its calls do not pay when it is lost: it is taken apart until
 * each call is answered or fails alone, and the size that worked is kept for the run. A call that a rate limit
 * refused waits alone, the others go on.
 */
export class Delivery {
	private readonly rescue: BatchSplitter;

	constructor(
		private readonly exchange: Exchange,
		private readonly pacer: Pacer,
		private readonly stop: Stop,
		batchSize: number,
		/** Puts calls back in line, before those that were never sent. */
		private readonly putBack: (calls: readonly Pending[]) => void,
	) {
		const deliver = async (batch: readonly Pending[]) => await this.deliver(batch);
		this.rescue = new BatchSplitter(batchSize, pacer, stop, deliver);
	}

	/** The most calls that the server takes in one request, as far as is known. */
	get largest(): number {
		return this.rescue.largest;
	}

	/** Sends calls together, and where that fails in parts. Gives the failure of a call that failed even alone. */
	async deliver(batch: readonly Pending[]): Promise<RequestFailure | undefined> {
		if (batch.length > this.largest) return this.startAnew(batch);
		await this.pacer.rateLimit.waitTurn(batch.length);
		const answer = await this.exchange(batch.map(requestOf) as [RpcRequest]);
		if (!('whole' in answer)) {
			this.rescue.countAnswer();
			return await this.settle(batch, answer);
		}
		const { whole, isRefusal } = answer;
		const isNoFault = !isRefusal && !whole.maybeExecuted;
		if (isNoFault || whole.retry?.because === 'limit') {
			return await this.settle(
				batch,
				batch.map(() => ({ failure: whole })),
			);
		}
		return await this.rescue.save(batch, answer);
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
		let alone: RequestFailure | undefined;
		const jitter = Math.random();
		batch.forEach((call, index) => {
			const outcome = outcomes[index];
			if (!outcome || 'unanswered' in outcome) return left.push(call);
			if ('result' in outcome) return call.resolve(outcome.result);
			const { failure } = outcome;
			const wait = waitBefore(this.pacer, [call], failure.retry, jitter);
			if (wait === undefined) {
				if (batch.length === 1) alone = failure;
				return call.reject(withRetryTime(failure));
			}
			// Waits are made to meet, so that calls travel together again.
			const meeting = Math.ceil(wait / MEETING) * MEETING;
			later.set(meeting, [...(later.get(meeting) ?? []), call]);
		});
		later.forEach((calls, wait) => this.enqueueLater(calls, wait));
		return left.length > 0 ? await this.askRest(left, batch.length) : alone;
	}

	/** The calls that an answer left out, or a batch whose answers grew too large. */
	private async askRest(
		left: readonly Pending[],
		size: number,
	): Promise<RequestFailure | undefined> {
		if (left.length <= size / 2) return await this.deliver(left);
		this.rescue.largest = Math.min(this.largest, size - left.length);
		return this.startAnew(left);
	}

	/** The size is to blame: these calls begin anew, in smaller batches. */
	private startAnew(calls: readonly Pending[]): undefined {
		for (const call of calls) call.attempt = 0;
		this.putBack(calls);
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
