import type { HttpRequest } from './types';

type RequestLimits = Pick<HttpRequest, 'timeout' | 'signal'>;

/**
 * Ends a request if the execution is cancelled, the caller aborts or the time is over. The HTTP client's own timeout
 * is not enough: it does not count while bytes arrive, even very slowly.
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
			/**
			 * Closes the connection, also while the answer is read. Destroying the stream would not close it, because n8n's
			 * client wraps the stream.
			 */
			abort,
			/** Removes the listeners, because the signals last longer than the request. */
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

/**
 * Shares one listener among all requests of a signal, because older versions of Node warn of a leak if a signal has
 * many listeners.
 */
function createSharedListener(signal: AbortSignal): SharedListener {
	const aborts = new Set<() => void>();
	const abortAll = () => aborts.forEach((abort) => abort());
	signal.addEventListener('abort', abortAll);
	return { aborts, remove: () => signal.removeEventListener('abort', abortAll) };
}
