/**
 * Why a request may be sent again. `limit`: a limit rejected it, and it was not carried out. `lost`: no usable answer
 * came.
 */
export type RetryReason =
	| { readonly because: 'limit'; readonly after?: number }
	| { readonly because: 'lost' };

interface RequestFailureDetails {
	readonly description?: string;
	readonly httpCode?: number;
	readonly retry?: RetryReason;
	/** Whether the request may have been carried out although no valid answer came. */
	readonly maybeExecuted?: boolean;
	/** The service's answer, which operations use for their advice. */
	readonly answer?: unknown;
}

/**
 * A failure of the service, without secrets. It is not an n8n error yet, because a failed batch can fail many items,
 * and each needs an n8n error of its own.
 */
export class RequestFailure extends Error {
	readonly description?: string;
	readonly httpCode?: number;
	readonly retry?: RetryReason;
	readonly maybeExecuted: boolean;
	readonly answer?: unknown;

	constructor(message: string, details: RequestFailureDetails = {}) {
		super(message);
		this.description = details.description;
		this.httpCode = details.httpCode;
		this.retry = details.retry;
		this.maybeExecuted = details.maybeExecuted ?? false;
		this.answer = details.answer;
	}
}

/** Whether the service refused the request for good. Limits and outages do not count. */
export function isPermanent(failure: unknown): failure is RequestFailure {
	return failure instanceof RequestFailure && !failure.retry;
}

/** Whether the node itself refused the request, without an error status of HTTP. Limits and outages do not count. */
export function isRefusal(failure: unknown): failure is RequestFailure {
	return isPermanent(failure) && failure.httpCode === undefined;
}

/** Appends a sentence to the description of a failure. */
export function withAdvice(failure: RequestFailure, advice: string | undefined): RequestFailure {
	if (!advice) return failure;
	const description = failure.description ? `${failure.description} ${advice}` : advice;
	return new RequestFailure(failure.message, { ...failure, description });
}

export function withExecutionWarning(failure: RequestFailure): RequestFailure {
	const advice = 'The request may still have been carried out: check before you send it again.';
	return failure.maybeExecuted ? withAdvice(failure, advice) : failure;
}

/**
 * Advises to send the same signed transaction again, if it may have arrived. A chain accepts the same transaction
 * only once.
 */
export function adviceToSendTheSame({ maybeExecuted }: RequestFailure): string | undefined {
	return maybeExecuted
		? 'Send only this same signed transaction again: it counts once, while a new one may pay twice.'
		: undefined;
}

/** Removes secrets from a failure, because a service may repeat the request in its error. */
export function withoutSecrets(
	failure: RequestFailure,
	redact: (text: string) => string,
): RequestFailure {
	const description = failure.description && redact(failure.description);
	return new RequestFailure(redact(failure.message), { ...failure, description });
}

export function repeatedPageError(): RequestFailure {
	return new RequestFailure('The service returned the same page of a list twice', {
		description: 'Reading was stopped, because the list would never have ended.',
	});
}
