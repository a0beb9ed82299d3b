import { RequestFailure } from '../errors/requestFailure';
import { resultOf, type Outcome, type Step } from '../operation/step';
import { invalidResponse } from '../responses/response';
import type { RpcRequest } from '../rpc/request';
import { isRecord } from '../values/read';
import { heightOf, hex } from './blocks';
import type { ChainObject } from './objects';

interface Block {
	readonly number: number;
	/** Unix seconds. */
	readonly time: number;
	readonly json: ChainObject;
}

/** The latest block known to be in time, and the earliest known to be too late. */
interface Bounds {
	readonly early?: Block;
	readonly late: Block;
}

const STRIDE = 8;

/**
 * Finds the last block at or before a moment, or null where even the first block is later. It looks back from the
 * head in ever longer strides, then where the times of the blocks around let expect it.
 */
export function blockAtTime(path: RpcRequest['path'], moment: number): Step<RpcRequest> {
	const call = (block: string): RpcRequest => ({
		...{ path, method: 'eth_getBlockByNumber', params: [block, false] },
	});
	return {
		requests: [call('latest')],
		next: ([found]) => {
			const head = blockIn(resultOf(found)) ?? invalidResponse('its latest block', null);
			if (head.time <= moment) return { things: [head.json] };
			return { things: [], then: search(strides(head.number), { late: head }) };
		},
	};

	function search(numbers: readonly number[], bounds: Bounds): Step<RpcRequest> {
		return {
			requests: numbers.map((number) => call(hex(number))),
			next: (outcomes) => {
				const { early, late } = narrowed(bounds, blocksIn(numbers, outcomes), moment);
				if (late.number === 0) return { things: [null] };
				if (early?.number === late.number - 1) return { things: [early.json] };
				if (early === bounds.early && late === bounds.late) return missing(outcomes);
				const next = early ? around(early, late, moment) : strides(late.number);
				return { things: [], then: search(next, { early, late }) };
			},
		};
	}
}

/** What a node has no longer, or not yet, it may refuse. */
function blocksIn(numbers: readonly number[], outcomes: readonly Outcome[]): Block[] {
	const blocks = outcomes.map((one) => ('result' in one ? blockIn(one.result) : null));
	const other = blocks.find((block, index) => block && block.number !== numbers[index]);
	return other
		? invalidResponse('the blocks that were asked for', other.json)
		: blocks.filter((block) => block !== null);
}

function narrowed({ early, late }: Bounds, blocks: readonly Block[], moment: number): Bounds {
	const known = [...blocks, late, ...(early ? [early] : [])].sort((a, b) => a.number - b.number);
	const first = known.findIndex(({ time }) => time > moment);
	return { late: known[first] ?? late, early: known[first - 1] };
}

/** Some numbers below this one, and the first block. */
function strides(from: number): number[] {
	const numbers: number[] = [0];
	for (let stride = 1; stride < from; stride *= STRIDE) numbers.push(from - stride);
	return numbers;
}

/** Where the moment lies between the times of two blocks, a little beside it, and in the middle. */
function around(early: Block, late: Block, moment: number): number[] {
	const span = late.number - early.number;
	const share = (moment - early.time) / (late.time - early.time);
	const guess = early.number + Math.floor(span * share);
	const beside = Math.max(1, Math.floor(span / STRIDE ** 2));
	const wanted = [guess - beside, guess, guess + beside, early.number + Math.floor(span / 2)];
	const inside = wanted.map((one) => Math.min(Math.max(one, early.number + 1), late.number - 1));
	return [...new Set(inside)];
}

function blockIn(json: unknown): Block | null {
	if (json === null) return null;
	if (!isRecord(json)) return invalidResponse('a block', json);
	return { json, number: heightOf(json.number), time: heightOf(json.timestamp) };
}

function missing(outcomes: readonly Outcome[]): never {
	outcomes.forEach(resultOf);
	throw new RequestFailure('The node does not have the blocks from that time', {
		description: 'It may keep the latest blocks only.',
	});
}
