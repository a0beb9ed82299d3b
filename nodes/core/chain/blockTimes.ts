import { isRefusal, RequestFailure } from '../errors/requestFailure';
import { inParallel } from '../pacing/concurrency';
import { invalidResponse } from '../responses/response';
import type { ChainReader } from '../rpc/chain';
import { isRecord } from '../values/read';
import { heightOf, hex } from './blocks';
import { asDate, type ChainObject } from './objects';

type Times = Map<string, string | null>;

/** By the hash or number of a block: null where the node does not tell. */
const blockTimes = (): Times => new Map();

/** This many answers are in memory at a time. */
const AT_ONCE = 500;

/**
 * The times of the blocks in which these things happened, each block read once in a run. Newer nodes tell it with each
 * log; null where the node no longer has the block.
 */
export async function readTimes(
	chain: ChainReader,
	things: readonly ChainObject[],
): Promise<(thing: ChainObject) => string | null> {
	const times = chain.memory(blockTimes);
	const blocks = things.map((thing) => (ownTime(thing) === null ? blockOf(thing) : undefined));
	const unknown = [...new Set(blocks)].filter((block) => block !== undefined && !times.has(block));
	await inParallel(unknown.length, AT_ONCE, async (index) => {
		const block = unknown[index] ?? '';
		times.set(block, await timeOf(chain, block));
	});
	return (thing) => ownTime(thing) ?? times.get(blockOf(thing) ?? '') ?? null;
}

function ownTime({ blockTimestamp }: ChainObject): string | null {
	return asDate(blockTimestamp);
}

/** A hash means one block only; a number may mean another one after a reorganization. */
function blockOf({ blockHash, blockNumber }: ChainObject): string | undefined {
	if (typeof blockHash === 'string') return blockHash;
	if (typeof blockNumber === 'number') return hex(blockNumber);
	return typeof blockNumber === 'string' ? blockNumber : undefined;
}

const HASH_LENGTH = 66;

/** A node that has left the block, or does not know the method, spoils no list. */
async function timeOf(chain: ChainReader, block: string): Promise<string | null> {
	const method = block.length === HASH_LENGTH ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
	try {
		const found = await chain.call(method, [block, false]);
		return isRecord(found) ? asDate(found.timestamp) : null;
	} catch (failure) {
		return isRefusal(failure) ? null : await Promise.reject(failure);
	}
}

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
export async function blockAtTime(chain: ChainReader, moment: number): Promise<ChainObject | null> {
	const latest = await readBlock(chain, 'latest');
	const head = blockIn(latest) ?? invalidResponse('its latest block', null);
	if (head.time <= moment) return head.json;
	let bounds: Bounds = { late: head };
	for (let numbers = strides(head.number); ; ) {
		const { blocks, failure } = await readBlocks(chain, numbers);
		const { early, late } = narrowed(bounds, blocks, moment);
		if (late.number === 0) return null;
		if (early?.number === late.number - 1) return early.json;
		if (early === bounds.early && late === bounds.late) throw failure ?? missing();
		bounds = { early, late };
		numbers = early ? around(early, late, moment) : strides(late.number);
	}
}

async function readBlock(chain: ChainReader, block: string): Promise<unknown> {
	return await chain.call('eth_getBlockByNumber', [block, false]);
}

function blockIn(json: unknown): Block | null {
	if (json === null) return null;
	if (!isRecord(json)) return invalidResponse('a block', json);
	return { json, number: heightOf(json.number), time: heightOf(json.timestamp) };
}

/** What a node has no longer, or not yet, it may refuse. */
async function readBlocks(chain: ChainReader, numbers: readonly number[]) {
	let failure: RequestFailure | undefined;
	const answers = await Promise.all(
		numbers.map(async (number) => {
			try {
				return await readBlock(chain, hex(number));
			} catch (error) {
				if (!(error instanceof RequestFailure)) return await Promise.reject(error);
				failure ??= error;
				return null;
			}
		}),
	);
	const found = answers.map(blockIn);
	const other = found.find((block, index) => block && block.number !== numbers[index]);
	if (other) return invalidResponse('the blocks that were asked for', other.json);
	return { blocks: found.filter((block) => block !== null), failure };
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

function missing(): RequestFailure {
	return new RequestFailure('The node does not have the blocks from that time', {
		description: 'It may keep the latest blocks only.',
	});
}
