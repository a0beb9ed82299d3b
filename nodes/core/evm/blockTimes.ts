import type { JsonObject } from '../values/json';
import { isRefusal, RequestFailure } from '../errors/requestFailure';
import { mapInParallel } from '../net/pacing/concurrency';
import { invalidResponseError } from '../net/responses/response';
import type { RpcReader } from '../chain/reader';
import { isRecord, rethrow } from '../values/parse';
import { parseBlockNumber } from './blocks';
import { numberToHex } from '../values/numbers';
import { quantityToIsoDate } from './objects';
import { raise } from '../errors/raise';

type BlockTimes = Map<string, string | null>;

/** Times by the hash or number of a block: null where the node does not return it. */
const createBlockTimes = (): BlockTimes => new Map();

/** How many answers are in memory at a time. */
const BLOCK_CONCURRENCY = 500;

/**
 * Reads the times of the blocks in which these things happened, each block once in a run. Newer nodes return the time
 * with each log; it is null where the node no longer has the block.
 */
export async function readBlockTimes(
	chain: RpcReader,
	things: readonly JsonObject[],
): Promise<(thing: JsonObject) => string | null> {
	const times = chain.shared(createBlockTimes);
	const blocks = things.map((thing) =>
		getOwnTime(thing) === null ? getBlockId(thing) : undefined,
	);
	const unknown = [...new Set(blocks)].filter((block) => block !== undefined && !times.has(block));
	await mapInParallel(unknown.length, BLOCK_CONCURRENCY, async (index) => {
		const block = unknown[index] ?? '';
		times.set(block, await readBlockTime(chain, block));
	});
	return (thing) => getOwnTime(thing) ?? times.get(getBlockId(thing) ?? '') ?? null;
}

function getOwnTime({ blockTimestamp }: JsonObject): string | null {
	return quantityToIsoDate(blockTimestamp);
}

/** A hash means one block only; a number may mean another one after a reorganization. */
function getBlockId({ blockHash, blockNumber }: JsonObject): string | undefined {
	if (typeof blockHash === 'string') return blockHash;
	if (typeof blockNumber === 'number') return numberToHex(blockNumber);
	return typeof blockNumber === 'string' ? blockNumber : undefined;
}

const HASH_CHARS = 66;

/** A node that has pruned the block, or does not know the method, must not fail the whole list. */
async function readBlockTime(chain: RpcReader, block: string): Promise<string | null> {
	const method = block.length === HASH_CHARS ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
	try {
		const found = await chain.call(method, [block, false]);
		return isRecord(found) ? quantityToIsoDate(found.timestamp) : null;
	} catch (failure) {
		return isRefusal(failure) ? null : rethrow(failure);
	}
}

interface TimedBlock {
	readonly number: number;
	/** Unix seconds. */
	readonly time: number;
	readonly json: JsonObject;
}

/** The latest block known to be in time, and the earliest known to be too late. */
interface TimeBounds {
	readonly before?: TimedBlock;
	readonly after: TimedBlock;
}

const STRIDE_FACTOR = 8;

/**
 * Finds the last block at or before a moment, or null where even the first block is later. It looks back from the head
 * in ever longer strides, then interpolates between the times of the surrounding blocks.
 */
export async function readBlockAtTime(
	chain: RpcReader,
	moment: number,
): Promise<JsonObject | null> {
	const latest = await readBlock(chain, 'latest');
	const head = parseTimedBlock(latest) ?? raise(invalidResponseError('its latest block', null));
	if (head.time <= moment) return head.json;
	let bounds: TimeBounds = { after: head };
	for (let numbers = buildStrides(head.number); ; ) {
		const { blocks, failure } = await readBlocks(chain, numbers);
		const { before: early, after: late } = narrowBounds(bounds, blocks, moment);
		if (late.number === 0) return null;
		if (early?.number === late.number - 1) return early.json;
		if (early === bounds.before && late === bounds.after) throw failure ?? missingBlocksError();
		bounds = { before: early, after: late };
		numbers = early ? guessBlocksAround(early, late, moment) : buildStrides(late.number);
	}
}

async function readBlock(chain: RpcReader, block: string): Promise<unknown> {
	return await chain.call('eth_getBlockByNumber', [block, false]);
}

function parseTimedBlock(json: unknown): TimedBlock | null {
	if (json === null) return null;
	if (!isRecord(json)) throw invalidResponseError('a block', json);
	return { json, number: parseBlockNumber(json.number), time: parseBlockNumber(json.timestamp) };
}

/** A node may refuse a block that it has no longer or not yet. */
async function readBlocks(chain: RpcReader, numbers: readonly number[]) {
	let failure: RequestFailure | undefined;
	const answers = await Promise.all(
		numbers.map(async (number) => {
			try {
				return await readBlock(chain, numberToHex(number));
			} catch (error) {
				if (!(error instanceof RequestFailure)) rethrow(error);
				failure ??= error;
				return null;
			}
		}),
	);
	const found = answers.map(parseTimedBlock);
	const other = found.find((block, index) => block && block.number !== numbers[index]);
	if (other) throw invalidResponseError('the blocks that were asked for', other.json);
	return { blocks: found.filter((block) => block !== null), failure };
}

function narrowBounds(
	{ before: early, after: late }: TimeBounds,
	blocks: readonly TimedBlock[],
	moment: number,
): TimeBounds {
	const known = [...blocks, late, ...(early ? [early] : [])].sort((a, b) => a.number - b.number);
	const first = known.findIndex(({ time }) => time > moment);
	return { after: known[first] ?? late, before: known[first - 1] };
}

/** Numbers below this one at growing distances, and the first block. */
function buildStrides(from: number): number[] {
	const numbers: number[] = [0];
	for (let stride = 1; stride < from; stride *= STRIDE_FACTOR) numbers.push(from - stride);
	return numbers;
}

/** Guesses the block by interpolation, with one a little beside it and the one in the middle. */
function guessBlocksAround(early: TimedBlock, late: TimedBlock, moment: number): number[] {
	const span = late.number - early.number;
	const share = (moment - early.time) / (late.time - early.time);
	const guess = early.number + Math.floor(span * share);
	const beside = Math.max(1, Math.floor(span / STRIDE_FACTOR ** 2));
	const wanted = [guess - beside, guess, guess + beside, early.number + Math.floor(span / 2)];
	const inside = wanted.map((one) => Math.min(Math.max(one, early.number + 1), late.number - 1));
	return [...new Set(inside)];
}

function missingBlocksError(): RequestFailure {
	return new RequestFailure('The node does not have the blocks from that time', {
		description: 'It may keep the latest blocks only.',
	});
}
