import { repeatedPage } from '../operation/paging';
import type { RpcRequest } from '../rpc/request';
import { listOfObjects } from './objects';
import type { RangeList } from './ranges/parts';
import { isWholeList, nextTracePage, type TracePage } from './tracePages';

const traces = listOfObjects('a list of traces');

/** The traces of a range of blocks, page after page. */
export function traceList(filter: object, page: TracePage): RangeList {
	const first = { ...page, after: undefined };
	return {
		requests: (from, to) => [traceSearch({ ...filter, fromBlock: from, toBlock: to, ...first })],
		things: ([found]) => traces(found),
		next: ({ requests: [request], things, last, missing }) => {
			const asked = pageOf(request);
			const isRepeated =
				things.length > 0 && last !== undefined && JSON.stringify(things) === JSON.stringify(last);
			if (isRepeated) return isWholeList(things.length, asked) ? null : repeatedPage();
			const following = nextTracePage(asked, things.length, missing);
			return following ? [traceSearch(following)] : [];
		},
	};
}

export function traceSearch(filter: object): RpcRequest {
	return { path: '/', method: 'trace_filter', params: [filter] };
}

function pageOf(request: RpcRequest | undefined): TracePage {
	return (request?.params as readonly [TracePage])[0];
}
