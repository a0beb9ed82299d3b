import { sleep } from 'n8n-workflow';
import type { Stop } from './stop';

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
