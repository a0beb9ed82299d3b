import type { INode } from 'n8n-workflow';
import { inOneLine, Refusal } from '../../../credentials/refusal';
import { nodeError } from './nodeError';
import { RequestFailure } from './requestFailure';

/** Of an activation that failed, n8n shows the message alone: so the message says all, what to do included. */
export function activationError(node: INode, cause: unknown): Error {
	if (cause instanceof RequestFailure) {
		return nodeError(
			node,
			new RequestFailure(inOneLine(cause), { ...cause, description: undefined }),
		);
	}
	return nodeError(node, cause instanceof Refusal ? new Refusal(inOneLine(cause)) : cause);
}

/** What to do about a status that the service's own words may not explain. */
export function adviceFor(status: number | undefined, elsewhere: string): string | undefined {
	if (status === 404) return elsewhere;
	return status === 429 ? "The credential's plan may allow no more requests for now." : undefined;
}
