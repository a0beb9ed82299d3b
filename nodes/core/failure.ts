import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { Refusal } from './refusal';

/**
 * What may follow a failed request. `limit`: it was not carried out, come back later. `lost`: no answer came.
 * `cut`: the connection was closed instead of an answer, which may be the answer to a batch too large.
 */
export type Retry =
	| { readonly because: 'limit'; readonly after?: number }
	| { readonly because: 'lost' | 'cut' };

interface Details {
	readonly description?: string;
	readonly httpCode?: number;
	readonly retry?: Retry;
	/** The request may have been carried out although no good answer came. */
	readonly unsure?: boolean;
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
	readonly unsure: boolean;
	readonly answer?: unknown;

	constructor(message: string, details: Details = {}) {
		super(message);
		this.description = details.description;
		this.httpCode = details.httpCode;
		this.retry = details.retry;
		this.unsure = details.unsure ?? false;
		this.answer = details.answer;
	}
}

/** A failure with one more sentence in its description. */
export function withAdvice(failure: RequestFailure, advice: string | undefined): RequestFailure {
	if (!advice) return failure;
	const description = failure.description ? `${failure.description} ${advice}` : advice;
	return new RequestFailure(failure.message, { ...failure, description });
}

/** Nobody knows whether a request that spends or stores was carried out: the user has to look. */
export function withDoubt(failure: RequestFailure): RequestFailure {
	const advice = 'It may have been carried out all the same: check before you send it again.';
	return failure.unsure ? withAdvice(failure, advice) : failure;
}

/** The same failure without secrets: an answer's words may hold what the request brought. */
export function withoutSecrets(
	failure: RequestFailure,
	strike: (text: string) => string,
): RequestFailure {
	const description = failure.description && strike(failure.description);
	return new RequestFailure(strike(failure.message), { ...failure, description });
}

/** The execution was stopped, or an earlier item failed: what is left is not done, and nobody is told. */
export class Halted extends Error {
	constructor() {
		// n8n knows a stopped execution by this word.
		super('The execution was canceled');
	}
}

type NodeError = Error & { readonly description?: string | null };

/** The n8n error for what happened, to one item if it was one. What n8n itself threw is passed on unchanged. */
export function nodeError(node: INode, cause: unknown, itemIndex?: number): NodeError {
	if (cause instanceof RequestFailure) return apiError(node, cause, itemIndex);
	if (cause instanceof Refusal) {
		return operationError(node, cause.message, cause.description, itemIndex);
	}
	if (cause instanceof Error && 'functionality' in cause) return cause as NodeError;
	return operationError(
		node,
		cause instanceof Error ? cause.message : String(cause),
		undefined,
		itemIndex,
	);
}

function apiError(node: INode, failure: RequestFailure, itemIndex?: number): NodeApiError {
	const { message, description } = failure;
	const httpCode = failure.httpCode?.toString();
	const response: JsonObject = { message, description: description ?? null };
	const error = new NodeApiError(node, response, { message, description, httpCode, itemIndex });
	return inOwnWords(error, message, description);
}

function operationError(
	node: INode,
	message: string,
	description: string | undefined,
	itemIndex?: number,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description, itemIndex });
	return inOwnWords(error, message, description);
}

/** n8n swaps the message for a stock phrase when a code such as ENOENT occurs in it; ours says more. */
function inOwnWords<E extends NodeApiError | NodeOperationError>(
	error: E,
	message: string,
	description: string | undefined,
): E {
	error.message = message;
	error.description = description;
	error.messages = [];
	return error;
}
