import type { HttpRequest } from './types';

/**
 * What ends a request: the execution that is stopped, whoever sent it, or the time. The client's own timeout stands
 * still while an answer comes, be it a byte a second.
 */
export class RequestEnds {
	private readonly shared = new Map<AbortSignal, SharedListener>();

	of({ timeout, until }: HttpRequest, cancelled: AbortSignal | undefined) {
		const end = new AbortController();
		const abort = () => end.abort();
		const signals = [cancelled, until, timeout > 0 ? AbortSignal.timeout(timeout) : undefined];
		const heard = signals.filter((signal) => signal !== undefined);
		for (const signal of heard) this.listen(signal, abort);
		if (heard.some(({ aborted }) => aborted)) abort();
		return {
			signal: end.signal,
			/** Leaves no listener behind on signals that live longer. */
			over: () => {
				for (const signal of heard) this.leave(signal, abort);
			},
		};
	}

	private listen(signal: AbortSignal, abort: () => void): void {
		const listener = this.shared.get(signal) ?? listenTo(signal);
		this.shared.set(signal, listener);
		listener.aborts.add(abort);
	}

	private leave(signal: AbortSignal, abort: () => void): void {
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

/** One for all requests: older versions of Node take many listeners to one signal for a leak. */
function listenTo(signal: AbortSignal): SharedListener {
	const aborts = new Set<() => void>();
	const abortAll = () => aborts.forEach((abort) => abort());
	signal.addEventListener('abort', abortAll);
	return { aborts, remove: () => signal.removeEventListener('abort', abortAll) };
}
