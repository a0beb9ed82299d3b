import { sleep } from 'n8n-workflow';
import type { Pacer } from '../pacing/pacer';
import type { Stop } from '../pacing/stop';
import { CallQueue, callSize, type Pending } from './callQueue';
import { Delivery } from './delivery';
import type { Exchange } from './exchange';
import type { RpcRequest } from './request';

/** Gathers the calls of one tick into batches, and sends a few batches at a time. Only for calls that read. */
export class Batcher {
	private readonly queue = new CallQueue();
	private readonly delivery: Delivery;
	private isPumping = false;

	constructor(
		exchange: Exchange,
		private readonly pacer: Pacer,
		stop: Stop,
		batchSize: number,
	) {
		this.delivery = new Delivery(exchange, pacer, stop, batchSize, (calls) => {
			this.queue.addFirst(calls);
			this.start();
		});
	}

	async call(request: RpcRequest): Promise<unknown> {
		return await new Promise((resolve, reject) => {
			this.queue.add({ request, size: callSize(request), attempt: 0, resolve, reject });
			this.start();
		});
	}

	private start(): void {
		if (!this.isPumping) void this.pump();
	}

	private async pump(): Promise<void> {
		this.isPumping = true;
		while (!this.queue.isEmpty) {
			await this.pacer.semaphore.acquire();
			// A moment for the calls that earlier answers are about to set off, so that batches are full.
			await sleep(0);
			void this.send(this.queue.take(this.most));
		}
		this.isPumping = false;
	}

	private get most(): number {
		return Math.min(this.delivery.largest, this.pacer.rateLimit.burst);
	}

	private async send(batch: readonly Pending[]): Promise<void> {
		try {
			await this.delivery.deliver(batch);
		} catch (reason) {
			for (const { reject } of batch) reject(reason);
		} finally {
			this.pacer.semaphore.release();
		}
	}
}
