import { withAdvice, type RequestFailure } from '../../errors/requestFailure';
import type { ApiPath } from '../../values/basic';

/** Where a node's API turned out to live, for one run. */
export class Paths {
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
