import type { RequestFailure } from '../../errors/requestFailure';
import type { HttpClient } from '../../http/types';
import type { RpcRequest } from '../rpcRequest';
import { isMissing, withPathAdvice, type Paths } from './paths';
import type { CallOutcome } from './oneReply';
import { sendCalls, type WholeFailure } from './replies';

/** Sends calls of one path in one request. */
export type Exchange = (
	calls: readonly [RpcRequest, ...RpcRequest[]],
) => Promise<readonly CallOutcome[] | WholeFailure>;

/** Exchanges that end when `until` is aborted. Without it they run to their end, because the outcome must be known. */
export function exchangeOver(
	http: HttpClient,
	paths: Paths,
	timeout: number,
	until?: AbortSignal,
): Exchange {
	return async (calls) => {
		const { path } = calls[0];
		const send = async (at: string) => await sendCalls(http, at, calls, { timeout, until });
		const answer = await paths.at(path, send, missingIn);
		return 'whole' in answer ? { ...answer, whole: withPathAdvice(answer.whole, path) } : answer;
	};
}

function missingIn(answer: readonly CallOutcome[] | WholeFailure): RequestFailure | undefined {
	return 'whole' in answer && isMissing(answer.whole) ? answer.whole : undefined;
}

/** The result of a call that travels alone. */
export async function resultOfCall(exchange: Exchange, call: RpcRequest): Promise<unknown> {
	const answer = await exchange([call]);
	if ('whole' in answer) throw answer.whole;
	const [outcome] = answer as readonly [CallOutcome];
	if ('result' in outcome) return outcome.result;
	throw 'failure' in outcome ? outcome.failure : outcome.unanswered;
}
