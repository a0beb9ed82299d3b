import { sleep } from 'n8n-workflow';
import type { RequestFailure } from '../errors/requestFailure';
import type { Pacer } from '../pacing/pacer';
import type { Stop } from '../pacing/stop';
import { waitBefore, type Pending } from './callQueue';
import type { WholeFailure } from './replies';

/** Sends calls together. Gives the failure of a call that failed even alone. */
type Deliver = (batch: readonly Pending[]) => Promise<RequestFailure | undefined>;

/** When so many calls in a row failed even alone, it is the server, and no more batches are taken apart. */
const HOPELESS = 5;
/** Statuses that say nothing about the size of a batch. */
const WHATEVER_ITS_SIZE = [402, 403, 405, 415, 451];
const LOST = { because: 'lost' } as const;

/** Takes batches that failed as a whole apart, and learns from it how large a batch may be. */
export class BatchSplitter {
	private hasAnswered = false;
	private failedAlone = 0;

	constructor(
		/** The most calls in one request. */
		public largest: number,
		private readonly pacer: Pacer,
		private readonly stop: Stop,
		private readonly deliver: Deliver,
	) {}

	/** The server has answered, whatever it said. */
	countAnswer(): void {
		this.hasAnswered = true;
		this.failedAlone = 0;
	}

	async save(
		batch: readonly Pending[],
		{ whole, isRefusal }: WholeFailure,
	): Promise<RequestFailure | undefined> {
		if (batch.length === 1) return await this.alone(batch, whole);
		if (this.failedAlone >= HOPELESS) return fail(batch, whole);
		return isRefusal ? await this.smaller(batch, whole) : await this.again(batch);
	}

	/** A request with one call failed. */
	private async alone(
		batch: readonly Pending[],
		failure: RequestFailure,
	): Promise<RequestFailure | undefined> {
		const wait = waitBefore(this.pacer, batch, failure.retry);
		if (wait !== undefined) {
			await this.pause(wait);
			return await this.deliver(batch);
		}
		this.failedAlone++;
		return fail(batch, failure);
	}

	/** A batch had no good answer: it is sent once more as it is, then in parts. */
	private async again(batch: readonly Pending[]): Promise<RequestFailure | undefined> {
		const isFirst = batch.every(({ attempt }) => attempt === 0);
		const wait = waitBefore(this.pacer, batch, LOST);
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
		{ httpCode = 0 }: RequestFailure,
	): Promise<RequestFailure | undefined> {
		if (!WHATEVER_ITS_SIZE.includes(httpCode)) return await this.inParts(batch);
		// Two are tried, because one may be refused for what it asks.
		let tried = 0;
		let refusal: RequestFailure | undefined;
		do {
			refusal = await this.deliver(batch.slice(tried, ++tried));
			if (refusal) await sleep(0);
		} while (refusal?.httpCode === httpCode && tried < 2);
		const others = batch.slice(tried);
		if (others.length === 0) return refusal;
		if (refusal?.httpCode === httpCode) return fail(others, refusal);
		return (await this.afterOne(others, refusal !== undefined)) ?? refusal;
	}

	/** A call is answered alone: two together tell whether the server takes no batch, or refused one call in it. */
	private async afterOne(
		calls: readonly Pending[],
		isFound: boolean,
	): Promise<RequestFailure | undefined> {
		const [pair, others] = [calls.slice(0, 2), calls.slice(2)];
		if (pair.length === 1) this.largest = 1;
		const failure = await this.deliver(pair);
		if (others.length === 0) return failure;
		const isBatchToBlame = this.largest === 1;
		const rest = isBatchToBlame || isFound ? this.deliver(others) : this.inParts(others);
		return (await rest) ?? failure;
	}

	/** When each call is answered in the end, it was the size. */
	private async inParts(batch: readonly Pending[], probe = 0): Promise<RequestFailure | undefined> {
		const half = probe + Math.ceil((batch.length - probe) / 2);
		const parts = [batch.slice(0, probe), batch.slice(probe, half), batch.slice(half)];
		let failure: RequestFailure | undefined;
		for (const part of parts.filter(({ length }) => length > 0)) {
			failure = (await this.deliver(part)) ?? failure;
			// A failure needs a moment to reach whoever decides that nothing more is sent.
			if (failure) await sleep(0);
		}
		if (!failure) this.largest = Math.min(this.largest, Math.ceil(batch.length / 2));
		return failure;
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
}

function fail(calls: readonly Pending[], failure: RequestFailure): RequestFailure {
	for (const { reject } of calls) reject(failure);
	return failure;
}
