import { repeatedPage } from '../operation/paging';
import type { ChainObject } from './objects';

/** The part of a filter for trace_filter that says which page is meant. */
export interface TracePage {
	/** How many traces are skipped. */
	readonly after?: number;
	/** How many are asked for. Many nodes give fewer at a time, and have more all the same. */
	readonly count: number;
}

export const TRACES_AT_ONCE = 1000;

/** The page that follows one with so many traces. Only an empty page is the end. */
export function nextTracePage<Page extends TracePage>(
	page: Page,
	got: number,
	missing = Infinity,
): Page | undefined {
	if (got === 0 || missing <= 0) return undefined;
	return { ...page, after: (page.after ?? 0) + got, count: Math.min(page.count, missing) };
}

/** A page that comes again: a node that knows no pages gave all it has, whatever was asked for. */
export function isWholeList(got: number, { count }: TracePage): boolean {
	return got !== count;
}

/** All the traces of a search, page after page. */
export async function allTraces<Filter extends object>(
	search: (page: Filter & TracePage) => Promise<readonly ChainObject[]>,
	filter: Filter,
): Promise<ChainObject[]> {
	const found: ChainObject[] = [];
	let before = '';
	let page: (Filter & TracePage) | undefined = { ...filter, count: TRACES_AT_ONCE };
	while (page) {
		const traces = await search(page);
		const text = JSON.stringify(traces);
		if (traces.length > 0 && text === before) {
			return isWholeList(traces.length, page) ? found : repeatedPage();
		}
		for (const trace of traces) found.push(trace);
		before = text;
		page = nextTracePage<Filter & TracePage>(page, traces.length);
	}
	return found;
}
