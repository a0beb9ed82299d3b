import { withAdvice, type RequestFailure } from '../../errors/requestFailure';
import { resultOf, type Outcome, type Step } from '../../operation/step';
import type { RpcRequest } from '../../rpc/request';
import { hex } from '../blocks';
import { rangeRefusal, type RangeRefusal } from '../rangeRefusal';
import {
	blocksIn,
	cut,
	narrowed,
	widened,
	type Pace,
	type RangePart,
	type SpanLimit,
} from './pace';

/** What a node is asked for, of a range of blocks. */
export interface RangeList {
	/** Requests that travel together. */
	requests(from: string, to: string): readonly RpcRequest[];
	/** The things in what was answered to them, in the order of the chain. */
	things(results: readonly unknown[]): readonly unknown[];
	/** Of what comes in pages, the requests for the next page; null when this page was there before. */
	next?(page: Page): readonly RpcRequest[] | null;
}

interface Page {
	readonly requests: readonly RpcRequest[];
	readonly things: readonly unknown[];
	/** The things on the page before. */
	readonly last?: readonly unknown[];
	/** How many more are wanted. */
	readonly missing: number;
}

/** A range that is being read. */
export interface Reading {
	readonly list: RangeList;
	readonly limit: SpanLimit;
	/** Whether the range ends at a head that the node told. */
	readonly endsAtHead: boolean;
	/** What was not given yet, in order. */
	readonly parts: readonly RangePart[];
	readonly pace: Pace;
	/** How often in a row the node was behind the head, and how often an answer was lost. */
	readonly lags: number;
	readonly losses: number;
}

export interface Refused extends RangePart {
	readonly refusal: RangeRefusal;
	readonly failure: RequestFailure;
}

/** How often, a second apart, a node is asked again that does not have the head yet. */
const PATIENCE = 10;
const SECOND = 1000;
/** After so many lost answers the size of the range is not to blame. */
const LOSSES = 3;

/** Reads a range part by part: as many blocks at a time as the node takes, side by side, put in order. */
export function readRangeParts(reading: Reading, after?: number): Step<RpcRequest> {
	const span = Math.min(reading.pace.span, reading.limit.blocks);
	const { parts, asked } = cut(reading.parts, { ...reading.pace, span });
	const requests = asked.map((part) => requestsFor(reading.list, part));
	return {
		after,
		requests: requests.flat(),
		next: (outcomes, { missing }) => {
			const left = [...outcomes];
			const answers = asked.map((part, index) => {
				const own = left.splice(0, requests[index]?.length);
				return answered(reading.list, part, own, index === 0 ? missing : Infinity);
			});
			const known = new Map(asked.map((part, index) => [part, answers[index] ?? part]));
			const now = parts.map((part) => known.get(part) ?? part);
			const open = now.findIndex(({ things }) => !things);
			const given = open < 0 ? now : now.slice(0, open);
			const things = given.flatMap((part) => part.things ?? []);
			if (open < 0) return { things };
			const rest = { ...reading, parts: now.slice(open) };
			const refused = answers.filter(isRefused);
			if (refused.length > 0) return { things, then: readAgain(rest, refused) };
			const pace = widened(reading.pace, answers, missing - things.length, reading.limit);
			return { things, then: readRangeParts({ ...rest, pace, lags: 0, losses: 0 }) };
		},
	};
}

/** Goes on after refusals: with smaller parts, or when the node has caught up. */
export function readAgain(reading: Reading, refused: readonly Refused[]): Step<RpcRequest> {
	const late = refused.find(({ refusal }) => refusal.because === 'behind');
	if (late) {
		return reading.endsAtHead && reading.lags < PATIENCE
			? readRangeParts({ ...reading, lags: reading.lags + 1 }, SECOND)
			: fail(late.failure);
	}
	const smallest = refused.find(({ range }) => blocksIn(range) === 1);
	if (smallest) fail(withAdvice(smallest.failure, tooFull(smallest)));
	const isLost = refused.every(({ refusal }) => refusal.because === 'lost');
	const losses = isLost ? reading.losses + 1 : 0;
	if (losses > LOSSES) fail(refused[0]?.failure);
	const pace = narrowed(reading.pace, refused, reading.limit);
	return readRangeParts({ ...reading, losses, pace });
}

function requestsFor(list: RangeList, { range, pages }: RangePart): readonly RpcRequest[] {
	return pages?.requests ?? list.requests(hex(range.from), hex(range.to));
}

function answered(
	list: RangeList,
	part: RangePart,
	outcomes: readonly Outcome[],
	wanted: number,
): RangePart | Refused {
	const { range, pages } = part;
	const failure = failureIn(outcomes);
	if (failure) return { range, failure, refusal: rangeRefusal(failure, range) ?? fail(failure) };
	const last = list.things(outcomes.map(resultOf));
	const before = pages?.things ?? [];
	const requests = list.next?.({
		requests: requestsFor(list, part),
		things: last,
		last: pages?.last,
		missing: wanted - before.length - last.length,
	});
	const things = requests === null ? before : [...before, ...last];
	return requests && requests.length > 0
		? { range, pages: { things, last, requests } }
		: { range, things };
}

function isRefused(part: RangePart | Refused): part is Refused {
	return 'refusal' in part;
}

export function failureIn(outcomes: readonly Outcome[]): RequestFailure | undefined {
	return outcomes.map((one) => ('failure' in one ? one.failure : undefined)).find(Boolean);
}

function tooFull({ range, refusal }: Refused): string | undefined {
	return refusal.because === 'contents'
		? `Block ${range.from} alone holds more than the node returns: ask for fewer addresses, or for certain events only.`
		: undefined;
}

export function fail(failure: unknown): never {
	throw failure;
}
