import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { formatInOneLine, InvalidInput, RefusedSecret } from './invalidInput';
import { RequestFailure, withAdvice } from './requestFailure';

type NodeError = Error & { readonly description?: string | null };

/** Converts a failure into an n8n error. Errors of n8n itself stay as they are. */
export function nodeError(node: INode, cause: unknown, itemIndex?: number): NodeError {
	if (cause instanceof RequestFailure) return apiError(node, cause, itemIndex);
	if (cause instanceof InvalidInput) {
		const shown = cause instanceof RefusedSecret ? withoutParameters(node) : node;
		return operationError(shown, cause.message, cause.description, itemIndex);
	}
	if (cause instanceof Error && 'functionality' in cause) return cause as NodeError;
	const message = cause instanceof Error ? cause.message : String(cause);
	return operationError(node, message, undefined, itemIndex);
}

/** Removes the parameters, because n8n stores the node with its parameters in the error. */
function withoutParameters(node: INode): INode {
	return { ...node, parameters: {} };
}

/** Puts the description into the message, because n8n shows only the message when an activation fails. */
export function activationError(node: INode, cause: unknown): Error {
	return nodeError(node, withDescriptionInMessage(cause));
}

function withDescriptionInMessage(cause: unknown): unknown {
	if (cause instanceof RequestFailure) {
		return new RequestFailure(formatInOneLine(cause), { ...cause, description: undefined });
	}
	if (cause instanceof RefusedSecret) return new RefusedSecret(formatInOneLine(cause));
	return cause instanceof InvalidInput ? new InvalidInput(formatInOneLine(cause)) : cause;
}

function apiError(node: INode, failure: RequestFailure, itemIndex?: number): NodeApiError {
	const { message, description } = failure;
	const httpCode = failure.httpCode?.toString();
	const response: JsonObject = { message, description: description ?? null };
	const error = new NodeApiError(node, response, { message, description, httpCode, itemIndex });
	return withOwnWords(error, message, description);
}

function operationError(
	node: INode,
	message: string,
	description: string | undefined,
	itemIndex?: number,
): NodeOperationError {
	const error = new NodeOperationError(node, message, { description, itemIndex });
	return withOwnWords(error, message, description);
}

/** Restores the message, because n8n replaces a message that contains a code such as ENOENT with a standard phrase. */
function withOwnWords<E extends NodeApiError | NodeOperationError>(
	error: E,
	message: string,
	description: string | undefined,
): E {
	error.message = message;
	error.description = description;
	error.messages = [];
	return error;
}

/** The JSON of an error item. n8n 1 recognizes an error item only if it has no other keys. */
export function formatErrorJson({
	message,
	description,
}: Pick<NodeError, 'message' | 'description'>) {
	return { error: message, ...(description && { message: description }) };
}

/** Explains HTTP statuses for which services often give no explanation. */
export function getStatusAdvice(status: number | undefined, elsewhere: string): string | undefined {
	if (status === 404) return elsewhere;
	return status === 429 ? "The credential's plan may allow no more requests for now." : undefined;
}

/** The outcome of an item whose operation must not be carried out twice. */
type AtMostOnceOutcome =
	| { readonly item: number; readonly results: readonly unknown[] }
	| { readonly item: number; readonly failure: unknown };

/**
 * Adds the items that were carried out to the error of a run. n8n drops the output of a failed node, which has the
 * transaction hashes.
 */
export function withCarriedOut(failure: unknown, spent: readonly AtMostOnceOutcome[]): unknown {
	const summary = formatSummary(spent);
	if (summary === '') return failure;
	if (failure instanceof RequestFailure) return withAdvice(failure, summary);
	if (!(failure instanceof InvalidInput)) return failure;
	const description = [failure.description, summary].filter(Boolean).join(' ');
	return new InvalidInput(failure.message, description);
}

function formatSummary(spent: readonly AtMostOnceOutcome[]): string {
	const done = spent.flatMap((one) =>
		'results' in one && !isUnknownResult(one.results) ? [formatItem(one.item, one.results)] : [],
	);
	const unclear = spent.flatMap((one) => {
		if ('failure' in one) return isOutcomeUnknown(one.failure) ? [`item ${one.item}`] : [];
		return isUnknownResult(one.results) ? [formatItem(one.item, one.results)] : [];
	});
	return [
		...(done.length > 0 ? [`Carried out: ${formatList(done)}.`] : []),
		...(unclear.length > 0 ? [`Outcome unknown: ${formatList(unclear)}.`] : []),
	].join(' ');
}

function formatItem(item: number, results: readonly unknown[]): string {
	return `item ${item}${formatResultId(results)}`;
}

/** Whether a payment's outcome is unknown. Such a payment is returned as a result, and not thrown as a failure. */
function isUnknownResult([result]: readonly unknown[]): boolean {
	return (
		typeof result === 'object' &&
		result !== null &&
		'status' in result &&
		result.status === 'unknown'
	);
}

function isOutcomeUnknown(failure: unknown): boolean {
	return failure instanceof RequestFailure && failure.maybeExecuted;
}

const MAX_LISTED_ITEMS = 1000;

function formatList(items: readonly string[]): string {
	const more = items.length - MAX_LISTED_ITEMS;
	const last = items.slice(-1).join('');
	return (
		items.slice(0, MAX_LISTED_ITEMS).join(', ') + (more > 0 ? ` and ${more} more, to ${last}` : '')
	);
}

/** Keys of a result that identify it. The first key found is used. */
const ID_KEYS = ['transactionHash', 'txid', 'cid', 'hash', 'result', 'url', 'id'];

function formatResultId([result]: readonly unknown[]): string {
	const isObject = typeof result === 'object' && result !== null;
	const known = new Map<string, unknown>(isObject ? Object.entries(result) : [['result', result]]);
	const id = ID_KEYS.map((key) => known.get(key)).find((value) => typeof value === 'string');
	return id === undefined ? '' : ` (${id.slice(0, 200)})`;
}
