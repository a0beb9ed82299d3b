import { sleep } from 'n8n-workflow';
import type { Stop } from './stop';

/** Keeps so many jobs going; the results stand in the order of the items. */
export async function inParallel<T>(
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

/** Lets so many jobs run at once; the others wait their turn. */
export class Semaphore {
	private free: number;
	private readonly waiting: Array<() => void> = [];

	constructor(
		private readonly size: number,
		private readonly stop: Stop,
	) {
		this.free = size;
	}

	get isIdle(): boolean {
		return this.free === this.size;
	}

	/** Waits for a slot; whoever takes one leaves it again. */
	async acquire(): Promise<void> {
		if (this.free > 0) this.free--;
		else await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/**
	 * The slot goes straight to the next in line, but not at once: a failure needs a moment to reach whoever
	 * decides that nothing more is sent.
	 */
	release(): void {
		const next = this.waiting.shift();
		if (next) void sleep(0).then(next);
		else this.free++;
	}

	async run<T>(job: () => Promise<T>): Promise<T> {
		await this.acquire();
		try {
			this.stop.check();
			return await job();
		} finally {
			this.release();
		}
	}
}

/** Jobs one after another, in the order in which they were given. */
export class SerialQueue {
	private last: Promise<unknown> = Promise.resolve();

	async run<T>(job: () => Promise<T>): Promise<T> {
		const turn = this.last.then(async () => {
			// A failure needs a moment to reach whoever decides that nothing more is done.
			await sleep(0);
			return await job();
		});
		this.last = turn.catch(() => {});
		return await turn;
	}
}
