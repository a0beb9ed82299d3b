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

/**
 * Builds the requests for further pages. If the link `next` has a page number, all pages are requested at once. Otherwise, only the linked
 * page is requested.
 */
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
		// A page may be missing, because projects may have been removed since the first request.
		whenMissing: { results: [] },
	}));
}
