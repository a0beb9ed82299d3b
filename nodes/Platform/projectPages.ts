import { raise } from '../core/errors/raise';
import { invalidResponseError } from '../core/net/responses/response';
import type { PageState } from '../core/operation/operation';
import type { RestRequest } from '../core/protocols/rest';
import { isRecord } from '../core/values/parse';

interface ProjectPage {
	readonly results: readonly unknown[];
	readonly next?: unknown;
	readonly count?: unknown;
}

export function parseProjectPage(body: unknown): ProjectPage {
	return isRecord(body) && Array.isArray(body.results)
		? { ...body, results: body.results }
		: raise(invalidResponseError('a page of projects', body));
}

const MAX_PAGES_AT_ONCE = 50;

/** If `next` has a number, the count and the size of a page give all pages, which are requested at once; else one link follows another. */
export function buildFurtherRequests(
	{ results, next, count }: ProjectPage,
	{ missing }: PageState<RestRequest>,
): RestRequest[] {
	if (typeof next !== 'string' || next === '' || results.length === 0) return [];
	const number = Number(/[?&]page=(\d+)/.exec(next)?.[1]);
	if (!number || typeof count !== 'number') return [{ path: next, whenMissing: { results: [] } }];
	const last = Math.ceil(count / results.length);
	const needed = number - 1 + Math.ceil(missing / results.length);
	const pages = Math.min(last, needed, number - 1 + MAX_PAGES_AT_ONCE) - number + 1;
	return Array.from({ length: Math.max(pages, 1) }, (_, index) => ({
		path: next.replace(/([?&]page=)\d+/, `$1${number + index}`),
		// Projects may have been removed meanwhile.
		whenMissing: { results: [] },
	}));
}
