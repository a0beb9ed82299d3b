import type { RpcRequest } from './request';

export interface PendingCall {
	readonly request: RpcRequest;
	readonly bytes: number;
	/** How many requests that contained this call have failed. */
	attempt: number;
	resolve(result: unknown): void;
	reject(reason: unknown): void;
}

export type Batch = readonly PendingCall[];

/** The largest request body. Nodes refuse bodies over 1 MB. */
const MAX_BODY_BYTES = 900_000;
const ENVELOPE_BYTES = 60;

export function countBodyBytes({ method, params }: RpcRequest): number {
	return Buffer.byteLength(JSON.stringify([method, params])) + ENVELOPE_BYTES;
}

/** Keeps the waiting calls by path, because only calls with the same path can share a batch. */
export class CallQueue {
	private readonly paths = new Map<string, PendingCall[]>();

	get isEmpty(): boolean {
		return this.paths.size === 0;
	}

	add(call: PendingCall): void {
		this.getPathCalls(call).push(call);
	}

	/** Adds calls at the front of the queue of their path. */
	addFirst(calls: Batch): void {
		const [first] = calls;
		if (first) this.paths.set(getPathKey(first), [...calls, ...this.getPathCalls(first)]);
	}

	/**
	 * Takes calls with the same path from the queue: at least one, at most `most`, and no more than a request body can
	 * hold.
	 */
	take(most: number): PendingCall[] {
		const [key, calls] = this.paths.entries().next().value ?? ['', []];
		let count = 0;
		let size = 0;
		for (const call of calls.slice(0, most)) {
			size += call.bytes;
			if (count > 0 && size > MAX_BODY_BYTES) break;
			count++;
		}
		const batch = calls.splice(0, count);
		if (calls.length === 0) this.paths.delete(key);
		return batch;
	}

	private getPathCalls(call: PendingCall): PendingCall[] {
		const key = getPathKey(call);
		const calls = this.paths.get(key) ?? [];
		this.paths.set(key, calls);
		return calls;
	}
}

function getPathKey({ request }: PendingCall): string {
	return JSON.stringify(request.path);
}
