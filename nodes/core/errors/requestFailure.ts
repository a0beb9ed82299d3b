/** What may follow a failed request. `limit`: come back later. `lost`: no good answer came, this time. */
export type Retry =
	| { readonly because: 'limit'; readonly after?: number }
	| { readonly because: 'lost' };

interface Details {
	readonly description?: string;
	readonly httpCode?: number;
	readonly retry?: Retry;
	/** The request may have been carried out although no good answer came. */
	readonly maybeExecuted?: boolean;
	/** What the service answered, for advice that depends on more than its words. */
	readonly answer?: unknown;
}

/**
 * A request failed. Plain words, free of secrets, and no n8n error yet: one failed batch fails many
 * items, and each needs an n8n error of its own, made when the failure meets its item.
 */
export class RequestFailure extends Error {
	readonly description?: string;
	readonly httpCode?: number;
	readonly retry?: Retry;
	readonly maybeExecuted: boolean;
	readonly answer?: unknown;

	constructor(message: string, details: Details = {}) {
		super(message);
		this.description = details.description;
		this.httpCode = details.httpCode;
		this.retry = details.retry;
		this.maybeExecuted = details.maybeExecuted ?? false;
		this.answer = details.answer;
	}
}

/** The node answered, and said no: neither a limit nor an outage, and not by an HTTP status. */
export function isRefusal(failure: unknown): failure is RequestFailure {
	return failure instanceof RequestFailure && !failure.retry && failure.httpCode === undefined;
}

/** A failure with one more sentence in its description. */
export function withAdvice(failure: RequestFailure, advice: string | undefined): RequestFailure {
	if (!advice) return failure;
	const description = failure.description ? `${failure.description} ${advice}` : advice;
	return new RequestFailure(failure.message, { ...failure, description });
}

/** Nobody knows whether a request that spends or stores was carried out: the user has to look. */
export function warnedIfExecuted(failure: RequestFailure): RequestFailure {
	const advice = 'The request may still have been carried out: check before you send it again.';
	return failure.maybeExecuted ? withAdvice(failure, advice) : failure;
}

/** The same failure without secrets: an answer's words may hold what the request brought. */
export function withoutSecrets(
	failure: RequestFailure,
	redact: (text: string) => string,
): RequestFailure {
	const description = failure.description && redact(failure.description);
	return new RequestFailure(redact(failure.message), { ...failure, description });
}
