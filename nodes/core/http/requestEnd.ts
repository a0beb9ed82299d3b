import type { HttpRequest } from './types';

/**
 * What ends a request: the execution that is stopped, whoever sent it, or the time. The client's own timeout stands
 * still while an answer comes, be it a byte a second.
 */
export function endOf({ timeout, until }: HttpRequest, cancelled: AbortSignal | undefined) {
	const end = new AbortController();
	const abort = () => end.abort();
	const signals = [cancelled, until, timeout > 0 ? AbortSignal.timeout(timeout) : undefined];
	const listened = signals.filter((signal) => signal !== undefined);
	for (const signal of listened) signal.addEventListener('abort', abort);
	if (listened.some(({ aborted }) => aborted)) abort();
	return {
		signal: end.signal,
		/** Leaves no listener behind on signals that live longer. */
		over: () => {
			for (const signal of listened) signal.removeEventListener('abort', abort);
		},
	};
}
