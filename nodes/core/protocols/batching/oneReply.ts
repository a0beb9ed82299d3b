import { rpcFailure } from '../../answers/rpcErrors';
import { RequestFailure } from '../../errors/requestFailure';
import { excerpt } from '../../values/excerpt';
import { isRecord } from '../../values/parseJson';
import type { RpcRequest } from '../rpcRequest';

/** What became of a call: `unanswered` when the rest of its batch was answered, and it was not. */
export type CallOutcome =
	| { readonly result: unknown }
	| { readonly failure: RequestFailure }
	| { readonly unanswered: RequestFailure };

export function repliesById(
	replies: readonly unknown[],
): Map<unknown, Array<Record<string, unknown>>> {
	const byId = new Map<unknown, Array<Record<string, unknown>>>();
	for (const reply of replies) {
		if (!isRecord(reply) || typeof reply.id !== 'number') continue;
		const earlier = byId.get(reply.id);
		if (earlier) earlier.push(reply);
		else byId.set(reply.id, [reply]);
	}
	return byId;
}

export function oneReply(
	call: RpcRequest,
	replies: ReadonlyArray<Record<string, unknown>>,
): CallOutcome {
	const [reply] = replies;
	if (!reply) {
		return { unanswered: unclear(call, 'The node left this call of a batch unanswered') };
	}
	if (replies.length > 1) {
		return { unanswered: unclear(call, `The node answered this call ${replies.length} times`) };
	}
	const found = outcome(call, reply);
	return 'failure' in found && isOfBatch(reply) ? { unanswered: found.failure } : found;
}

/** How geth ends a batch whose answers grow too large, or take too long: those before it are good. */
export function isOfBatch(reply: unknown): boolean {
	const error = isRecord(reply) && isRecord(reply.error) ? reply.error : {};
	const words = excerpt(error.message);
	return (
		(error.code === -32003 && /too large/i.test(words)) ||
		(error.code === -32002 && /timed? ?out/i.test(words))
	);
}

export function outcome(call: RpcRequest, reply: Record<string, unknown>): CallOutcome {
	if (reply.error !== undefined && reply.error !== null)
		return { failure: rpcFailure(call.method, reply.error) };
	if (!('result' in reply)) return { failure: badReply(call, reply) };
	return { result: reply.result };
}

export function badReply(call: RpcRequest | undefined, reply: unknown): RequestFailure {
	return unclear(
		call,
		'The node returned an invalid JSON-RPC response',
		` It answered ${excerpt(reply)}.`,
	);
}

function unclear(call: RpcRequest | undefined, message: string, details = ''): RequestFailure {
	return new RequestFailure(message, {
		description: `${call ? `${call.method} was called` : 'A batch was sent'}.${details}`,
		unsure: true,
	});
}
