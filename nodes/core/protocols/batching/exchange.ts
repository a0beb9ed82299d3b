import type { RequestFailure } from '../../errors/requestFailure';
import type { HttpClient } from '../../http/types';
import type { RpcRequest } from '../rpcRequest';
import { isMissing, Paths, withPathAdvice } from './paths';
import { sendCalls, type CallOutcome, type WholeFailure } from './replies';

/** Sends calls of one path in one request. */
export type Exchange = (
	calls: readonly [RpcRequest, ...RpcRequest[]],
) => Promise<readonly CallOutcome[] | WholeFailure>;

/** The exchanges of a run. */
export function exchangeOver(http: HttpClient, timeout: number): Exchange {
	const paths = new Paths();
	return async (calls) => {
		const { path } = calls[0];
		const send = async (at: string) => await sendCalls(http, at, calls, timeout);
		const answer = await paths.at(path, send, missingIn);
		return 'whole' in answer ? { ...answer, whole: withPathAdvice(answer.whole, path) } : answer;
	};
}

function missingIn(answer: readonly CallOutcome[] | WholeFailure): RequestFailure | undefined {
	return 'whole' in answer && isMissing(answer.whole) ? answer.whole : undefined;
}

/** The result of a call that travels alone. */
export async function resultOf(exchange: Exchange, call: RpcRequest): Promise<unknown> {
	const answer = await exchange([call]);
	if ('whole' in answer) throw answer.whole;
	const [outcome] = answer as readonly [CallOutcome];
	if ('result' in outcome) return outcome.result;
	throw 'failure' in outcome ? outcome.failure : outcome.unanswered;
}
