import { sleep } from 'n8n-workflow';
import type { Stop } from './stop';

/** Runs a job for each index, up to `width` jobs at a time. */
export async function mapInParallel<T>(
	count: number,
	width: number,
	job: (index: number) => Promise<T>,
): Promise<T[]> {
	const results = new Array<T>(count);
	let next = 0;
	const worker = async () => {
		while (next < count) {
			const index = next++;
			results[index] = await job(index);
		}
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
	return results;
}

/** Runs at most `size` jobs at a time, in the order in which they came. */
export class Semaphore {
	private free: number;
	private readonly waiting: Array<() => void> = [];

	constructor(
		private readonly limit: number,
		private readonly stop: Stop,
	) {
		this.free = limit;
	}

	get isIdle(): boolean {
		return this.free === this.limit;
	}

	/** Waits for a free slot. Each call of `acquire` needs a call of `release`. */
	async acquire(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** Gives the slot to the next job. The job begins in the next tick, so that a failure can stop the run before. */
	release(): void {
		const next = this.waiting.shift();
		if (next) void sleep(0).then(next);
		else this.free++;
	}

	async run<T>(job: () => Promise<T>): Promise<T> {
		await this.acquire();
		try {
			this.stop.throwIfStopped();
			return await job();
		} finally {
			this.release();
		}
	}
}

/** Runs one job at a time, in the order in which `run` was called. */
export class SerialQueue {
	private last: Promise<unknown> = Promise.resolve();

	async run<T>(job: () => Promise<T>): Promise<T> {
		const turn = this.last.then(async () => {
			// The job waits for one tick, because the failure of the previous job may stop the run in this tick.
			await sleep(0);
			return await job();
		});
		this.last = turn.catch(() => {});
		return await turn;
	}
}

/** Prevents Node from reporting a rejected promise before it is awaited. */
export function markHandled(promise: Promise<unknown>): void {
	promise.catch(() => {});
}
