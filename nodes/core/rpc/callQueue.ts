import type { Retry } from '../errors/requestFailure';
import type { Pacer } from '../pacing/pacer';
import { hasRetryTime } from '../pacing/retry';
import type { RpcRequest } from './request';

/** A call on its way. */
export interface Pending {
	readonly request: RpcRequest;
	/** In bytes. */
	readonly size: number;
	/** In how many requests it failed. */
	attempt: number;
	resolve(result: unknown): void;
	reject(reason: unknown): void;
}

/** Nodes refuse bodies over 1 MB. */
const LARGEST_BODY = 900_000;
const ENVELOPE = 60;

export function callSize({ method, params }: RpcRequest): number {
	return Buffer.byteLength(JSON.stringify([method, params])) + ENVELOPE;
}

/** How long to wait before calls that failed together are sent again; undefined when they are not. */
export function waitBefore(
	pacer: Pacer,
	calls: readonly Pending[],
	retry: Retry | undefined,
	jitter?: number,
): number | undefined {
	const attempt = Math.max(...calls.map((call) => call.attempt));
	if (!hasRetryTime(retry)) for (const call of calls) call.attempt++;
	return pacer.waitBefore(retry, attempt, jitter);
}

/** Calls that wait to be sent, path by path: only those of one path can travel together. */
export class CallQueue {
	private readonly paths = new Map<string, Pending[]>();

	get isEmpty(): boolean {
		return this.paths.size === 0;
	}

	add(call: Pending): void {
		const key = keyOf(call);
		const calls = this.paths.get(key);
		if (calls) calls.push(call);
		else this.paths.set(key, [call]);
	}

	/** Calls of one path, before those that wait already. */
	addFirst(calls: readonly Pending[]): void {
		const [first] = calls;
		if (!first) return;
		const key = keyOf(first);
		this.paths.set(key, [...calls, ...(this.paths.get(key) ?? [])]);
	}

	/** The calls of the next batch: no more than so many, and than a body holds. */
	take(most: number): Pending[] {
		const [key, calls] = this.paths.entries().next().value ?? ['', []];
		let count = 0;
		let size = 0;
		for (const call of calls.slice(0, most)) {
			size += call.size;
			if (count > 0 && size > LARGEST_BODY) break;
			count++;
		}
		const batch = calls.splice(0, count);
		if (calls.length === 0) this.paths.delete(key);
		return batch;
	}
}

function keyOf({ request }: Pending): string {
	return JSON.stringify(request.path);
}
