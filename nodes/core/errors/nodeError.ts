import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { inOneLine, InvalidInput } from '../../../credentials/invalidInput';
import { isRecord } from '../values/read';
import { RequestFailure, withAdvice } from './requestFailure';

type NodeError = Error & { readonly description?: string | null };

/** The n8n error for what happened, to one item if it was one. What n8n itself threw is passed on unchanged. */
export function nodeError(node: INode, cause: unknown, itemIndex?: number): NodeError {
	if (cause instanceof RequestFailure) return apiError(node, cause, itemIndex);
	if (cause instanceof InvalidInput) {
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

/** What an error is in an item. n8n 1 sends no other keys to the error output: they would come out as if all were well. */
export function toErrorJson(error: {
	readonly message: string;
	readonly description?: string | null;
}) {
	const { message, description } = error;
	return { error: message, ...(description && { message: description }) };
}

/** Of an activation that failed, n8n shows the message alone: so the message says all, what to do included. */
export function activationError(node: INode, cause: unknown): Error {
	if (cause instanceof RequestFailure) {
		return nodeError(
			node,
			new RequestFailure(inOneLine(cause), { ...cause, description: undefined }),
		);
	}
	return nodeError(
		node,
		cause instanceof InvalidInput ? new InvalidInput(inOneLine(cause)) : cause,
	);
}

/** What to do about a status that the service's own words may not explain. */
export function adviceFor(status: number | undefined, elsewhere: string): string | undefined {
	if (status === 404) return elsewhere;
	return status === 429 ? "The credential's plan may allow no more requests for now." : undefined;
}

/** What became of an item that spends, stores or sends. */
type Spent =
	| { readonly item: number; readonly things: readonly unknown[] }
	| { readonly item: number; readonly failure: unknown };

/** This many items are named one by one. */
const MOST = 1000;

/** Where an answer names what was done, the best first. */
const NAMES = ['transactionHash', 'txid', 'cid', 'hash', 'result', 'url', 'id'];

/**
 * The failure of a run, with what was carried out all the same: n8n throws the output of a failed node away, and
 * with it the hashes of what was sent.
 */
export function withCarriedOut(failure: unknown, spent: readonly Spent[]): unknown {
	const words = summaryOf(spent);
	if (words === '') return failure;
	if (failure instanceof RequestFailure) return withAdvice(failure, words);
	if (!(failure instanceof InvalidInput)) return failure;
	return new InvalidInput(failure.message, [failure.description, words].filter(Boolean).join(' '));
}

function summaryOf(spent: readonly Spent[]): string {
	const done = spent.flatMap((one) =>
		'things' in one ? [`item ${one.item}${receipt(one.things)}`] : [],
	);
	const unclear = spent.flatMap((one) =>
		'failure' in one && isUnclear(one.failure) ? [`item ${one.item}`] : [],
	);
	return [
		...(done.length > 0 ? [`Carried out: ${listed(done)}.`] : []),
		...(unclear.length > 0 ? [`Outcome unknown: ${listed(unclear)}.`] : []),
	].join(' ');
}

function listed(items: readonly string[]): string {
	const others = items.length - MOST;
	const last = items.slice(-1).join('');
	return items.slice(0, MOST).join(', ') + (others > 0 ? ` and ${others} more, to ${last}` : '');
}

function receipt([thing]: readonly unknown[]): string {
	const name = isRecord(thing) ? NAMES.find((key) => typeof thing[key] === 'string') : undefined;
	const text = isRecord(thing) ? thing[name ?? ''] : thing;
	return typeof text === 'string' ? ` (${text.slice(0, 200)})` : '';
}

function isUnclear(failure: unknown): boolean {
	return failure instanceof RequestFailure && failure.maybeExecuted;
}
