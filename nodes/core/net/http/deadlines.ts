import type { HttpRequest } from './types';

type RequestLimits = Pick<HttpRequest, 'timeout' | 'signal'>;

/**
 * Ends a request when the execution is cancelled, its caller aborts or its time is over. The HTTP client's own timeout
 * does not count while bytes arrive, even at one byte a second.
 */
export class Deadlines {
	private readonly shared = new Map<AbortSignal, SharedListener>();

	start({ timeout, signal: given }: RequestLimits, cancelled: AbortSignal | undefined) {
		const controller = new AbortController();
		const abort = () => controller.abort();
		const signals = [cancelled, given, timeout > 0 ? AbortSignal.timeout(timeout) : undefined];
		const heard = signals.filter((signal) => signal !== undefined);
		for (const signal of heard) this.listen(signal, abort);
		if (heard.some(({ aborted }) => aborted)) abort();
		return {
			signal: controller.signal,
			/** Ends the connection, also while the answer is read: to destroy the stream does not, as n8n's client wraps it. */
			abort,
			/** Removes the listeners: the signals outlive the request. */
			release: () => {
				for (const signal of heard) this.unlisten(signal, abort);
			},
		};
	}

	private listen(signal: AbortSignal, abort: () => void): void {
		const listener = this.shared.get(signal) ?? createSharedListener(signal);
		this.shared.set(signal, listener);
		listener.aborts.add(abort);
	}

	private unlisten(signal: AbortSignal, abort: () => void): void {
		const listener = this.shared.get(signal);
		if (!listener?.aborts.delete(abort) || listener.aborts.size > 0) return;
		listener.remove();
		this.shared.delete(signal);
	}
}

interface SharedListener {
	readonly aborts: Set<() => void>;
	remove(): void;
}

/** One listener for all requests: older versions of Node warn of a leak when a signal has many. */
function createSharedListener(signal: AbortSignal): SharedListener {
	const aborts = new Set<() => void>();
	const abortAll = () => aborts.forEach((abort) => abort());
	signal.addEventListener('abort', abortAll);
	return { aborts, remove: () => signal.removeEventListener('abort', abortAll) };
}
