import { withAdvice, type RequestFailure } from '../errors/requestFailure';
import type { HttpClient } from '../http/types';
import type { ApiPath } from '../operation/path';
import { sendCalls, type CallOutcome, type WholeFailure } from './replies';
import type { RpcRequest } from './request';

/** Sends calls of one path in one request. */
export type Exchange = (
	calls: readonly [RpcRequest, ...RpcRequest[]],
) => Promise<readonly CallOutcome[] | WholeFailure>;

/** Exchanges that end when `until` is aborted. Without it they run to their end, because the outcome must be known. */
export function exchangeOver(
	http: HttpClient,
	paths: ApiPaths,
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

/** Where a node's API turned out to live, for one run. */
export class ApiPaths {
	/** Where each path is answered: at the other one, or at itself where neither answers. */
	private readonly found = new Map<string, string>();

	/** Sends to a path. Where nothing lives there and the user named no other, the other documented one is tried once. */
	async at<Answer>(
		path: ApiPath,
		send: (path: string) => Promise<Answer>,
		missing: (answer: Answer) => RequestFailure | undefined,
	): Promise<Answer> {
		if (typeof path === 'string') return await send(path);
		const known = this.found.get(path.path);
		const answer = await send(known ?? path.path);
		const { other } = path;
		if (!missing(answer) || other === undefined || known !== undefined) return answer;
		const second = await send(this.found.get(path.path) ?? other);
		const isThere = !missing(second);
		this.found.set(path.path, isThere ? other : path.path);
		return isThere ? second : answer;
	}
}

/** Whether nothing lives at a path: a JSON-RPC error would say more. */
export function isMissing({ httpCode }: RequestFailure): boolean {
	return httpCode === 404 || httpCode === 405;
}

/** The failure of a request to a place where nothing lives, with the field to look at. */
export function withPathAdvice(failure: RequestFailure, path: ApiPath): RequestFailure {
	if (typeof path === 'string' || !isMissing(failure)) return failure;
	const tried = [path.path, path.other].filter((one) => one !== undefined).map((one) => one || '/');
	return withAdvice(
		failure,
		`Nothing answers at ${tried.join(' or at ')}: set 'Path' to where the API of this chain lives.`,
	);
}
