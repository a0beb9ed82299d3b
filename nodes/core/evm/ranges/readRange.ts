import { invalidResponse } from '../../answers/answer';
import { RequestFailure } from '../../errors/requestFailure';
import { resultOf, type RunScope, type Step } from '../../operation/step';
import type { RpcRequest } from '../../protocols/rpcRequest';
import { isRecord } from '../../values/parseJson';
import type { BlockRange } from '../blockRange';
import { heightOf } from '../header';
import { firstPace, spanLimit } from './pace';
import { fail, failureIn, readAgain, readParts, type RangeList } from './parts';
import { rangeRefusal } from './refusal';
import { Refusal } from '../../../../credentials/refusal';

/** The ends of a range: 0x-hex numbers, or names of blocks such as latest. */
export interface Ends {
	readonly from: string;
	readonly to: string;
}

/** The range that was given, if its numbers are not the wrong way round. */
export function endsOf({ fromBlock, toBlock }: GivenRange): Ends {
	if (isNumber(fromBlock) && isNumber(toBlock) && BigInt(fromBlock) > BigInt(toBlock)) {
		throw new Refusal("'From Block' must not be later than 'To Block'");
	}
	return { from: fromBlock, to: toBlock };
}

interface GivenRange {
	readonly fromBlock: string;
	readonly toBlock: string;
}

const ANY_RANGE: BlockRange = { from: 0, to: Infinity };

/**
 * Reads a list over a range of blocks: with one request where the node takes it, else part by part, so that the things
 * are those of one request. The head stays where it was at the beginning.
 */
export function readRange(
	list: RangeList,
	ends: Ends,
	path: RpcRequest['path'],
	run: RunScope,
): Step<RpcRequest> {
	const limit = run.memory(spanLimit);

	function begin(range: BlockRange, failure?: RequestFailure): Step<RpcRequest> {
		const endsAtHead = !isNumber(ends.to);
		const reading = { list, limit, endsAtHead, parts: [{ range }], lags: 0, losses: 0 };
		const atFirst = { ...reading, pace: firstPace(limit) };
		const refusal = failure && rangeRefusal(failure, range);
		return refusal ? readAgain(atFirst, [{ range, refusal, failure }]) : readParts(atFirst);
	}

	const names = [...new Set([ends.from, ends.to])].filter((end) => !isNumber(end));
	if (names.length === 0) return begin({ from: Number(ends.from), to: Number(ends.to) });
	return limit.blocks < Infinity ? locate(names) : whole(names);

	/** The node knows best what the names stand for; only a refusal makes it necessary to ask. */
	function whole(tags: readonly string[]): Step<RpcRequest> {
		return {
			requests: list.requests(ends.from, ends.to),
			next: (outcomes) => {
				const failure = failureIn(outcomes);
				if (!failure) return { things: list.things(outcomes.map(resultOf)) };
				if (!rangeRefusal(failure, ANY_RANGE)) return fail(failure);
				return { things: [], then: locate(tags, failure) };
			},
		};
	}

	function locate(tags: readonly string[], failure?: RequestFailure): Step<RpcRequest> {
		return {
			requests: tags.map((tag) => ({ path, method: 'eth_getBlockByNumber', params: [tag, false] })),
			next: (outcomes) => {
				const heights = outcomes.map((one, index) => numberOf(tags[index], resultOf(one)));
				const at = (end: string) => heights[tags.indexOf(end)] ?? Number(end);
				return { things: [], then: begin({ from: at(ends.from), to: at(ends.to) }, failure) };
			},
		};
	}
}

function isNumber(end: string): boolean {
	return end.startsWith('0x');
}

function numberOf(tag: string | undefined, block: unknown): number {
	if (block === null) throw new RequestFailure(`The node has no ${tag} block`);
	return isRecord(block) ? heightOf(block.number) : invalidResponse('a block', block);
}
