import { NodeApiError, NodeOperationError, type INode, type JsonObject } from 'n8n-workflow';
import { Refusal } from '../../../credentials/refusal';
import { RequestFailure } from './requestFailure';

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
