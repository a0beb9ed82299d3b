import { InvalidInput } from '../../../credentials/invalidInput';
import { RequestFailure } from '../errors/requestFailure';
import { resultOf, type RunScope, type Step } from '../operation/step';
import { invalidResponse } from '../responses/response';
import type { RpcRequest } from '../rpc/request';
import { isRecord } from '../values/read';
import { heightOf, type BlockRange } from './blocks';
import { rangeRefusal } from './rangeRefusal';
import { blocksIn, firstPace, spanLimit, type SpanLimit } from './ranges/pace';
import { fail, failureIn, readAgain, readRangeParts, type RangeList } from './ranges/parts';
import { skipping } from './ranges/skipping';

/** The ends of a range: 0x-hex numbers, or names of blocks such as latest. */
export interface Ends {
	readonly from: string;
	readonly to: string;
}

/** The range that was given, if its numbers are not the wrong way round. */
export function endsOf({ fromBlock, toBlock }: GivenRange): Ends {
	if ((numberIn(fromBlock) ?? 0) > (numberIn(toBlock) ?? Infinity)) {
		throw new InvalidInput("'From Block' must not be later than 'To Block'");
	}
	return { from: fromBlock, to: toBlock };
}

interface GivenRange {
	readonly fromBlock: string;
	readonly toBlock: string;
}

const ANY_RANGE: BlockRange = { from: 0, to: Infinity };

/** How the whole range is asked for at once. */
export interface Whole {
	readonly requests: readonly RpcRequest[];
	/** How many things it leaves out at the beginning. */
	readonly skipped: number;
}

/** What is read, and where. */
interface Search {
	readonly list: RangeList;
	readonly ends: Ends;
	readonly path: RpcRequest['path'];
	readonly limit: SpanLimit;
	/** The range, where both of its ends are numbers. */
	readonly known: BlockRange | undefined;
}

/**
 * Reads a list over a range of blocks: at once where the node takes it, else part by part, so that the things are those
 * of one request. The head stays where it was at the beginning.
 */
export function readRange(
	list: RangeList,
	ends: Ends,
	path: RpcRequest['path'],
	run: RunScope,
	whole: Whole = { requests: list.requests(ends.from, ends.to), skipped: 0 },
): Step<RpcRequest> {
	const limit = run.memory(spanLimit);
	const [from, to] = [numberIn(ends.from), numberIn(ends.to)];
	const known = from === undefined || to === undefined ? undefined : { from, to };
	const blocks = known ? blocksIn(known) : Infinity;
	const fits = blocks > 0 && (limit.blocks === Infinity || blocks <= limit.blocks);
	const search = { list, ends, path, limit, known };
	return fits ? page(search, whole.requests, whole.skipped) : inParts(search, whole.skipped);
}

/** The node knows best what the names stand for; only a refusal makes it necessary to ask. */
function page(
	search: Search,
	requests: readonly RpcRequest[],
	before: number,
	last?: readonly unknown[],
): Step<RpcRequest> {
	const { list, known = ANY_RANGE } = search;
	return {
		requests,
		next: (outcomes, progress) => {
			const failure = failureIn(outcomes);
			if (failure) {
				const isRefused = rangeRefusal(failure, known) !== undefined;
				return isRefused ? { things: [], then: inParts(search, before, failure) } : fail(failure);
			}
			const things = list.things(outcomes.map(resultOf));
			const missing = progress.missing - things.length;
			const following = list.next ? list.next({ requests, things, last, missing }) : [];
			if (following === null) return { things: [] };
			const isLast = following.length === 0;
			return {
				things,
				then: isLast ? undefined : page(search, following, before + things.length, things),
			};
		},
	};
}

function inParts(search: Search, before: number, failure?: RequestFailure): Step<RpcRequest> {
	const { known } = search;
	return skipping(known ? begin(search, known, failure) : locate(search, failure), before);
}

/** Asks what the names of blocks stand for. */
function locate(search: Search, failure?: RequestFailure): Step<RpcRequest> {
	const { ends, path } = search;
	const names = [...new Set([ends.from, ends.to])].filter((end) => numberIn(end) === undefined);
	return {
		requests: names.map((tag) => ({
			...{ path, method: 'eth_getBlockByNumber', params: [tag, false] },
		})),
		next: (outcomes) => {
			const heights = outcomes.map((one, index) => numberOf(names[index], resultOf(one)));
			const at = (end: string) => numberIn(end) ?? heights[names.indexOf(end)] ?? 0;
			const range = { from: at(ends.from), to: at(ends.to) };
			return { things: [], then: begin(search, range, failure) };
		},
	};
}

function begin(
	{ list, limit, ends }: Search,
	range: BlockRange,
	failure?: RequestFailure,
): Step<RpcRequest> {
	const endsAtHead = numberIn(ends.to) === undefined;
	const reading = { list, limit, endsAtHead, parts: [{ range }], lags: 0, losses: 0 };
	const atFirst = { ...reading, pace: firstPace(limit) };
	const refusal = failure && rangeRefusal(failure, range);
	return refusal ? readAgain(atFirst, [{ range, refusal, failure }]) : readRangeParts(atFirst);
}

/** The number of a block, if it has none but that, or the first one. */
function numberIn(end: string): number | undefined {
	if (end === 'earliest') return 0;
	return end.startsWith('0x') ? Number(end) : undefined;
}

function numberOf(tag: string | undefined, block: unknown): number {
	if (block === null) throw new RequestFailure(`The node has no ${tag} block`);
	return isRecord(block) ? heightOf(block.number) : invalidResponse('a block', block);
}
