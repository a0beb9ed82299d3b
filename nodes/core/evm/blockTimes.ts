import type { JsonObject } from '../values/json';
import { isRefusal } from '../errors/requestFailure';
import { mapInParallel } from '../net/pacing/concurrency';
import { invalidResponseError } from '../net/responses/response';
import { findFirstAfter, type TimedBlock } from '../chain/blockAtTime';
import type { RpcReader } from '../chain/reader';
import { isRecord, rethrow } from '../values/parse';
import { parseBlockNumber } from './blocks';
import { numberToHex } from '../values/numbers';
import { quantityToIsoDate } from './chainObjects';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

type BlockTimes = Map<string, string | null>;

/** Remembers times by the hash or number of a block. The time is null if the node does not return the block. */
const BLOCK_TIMES = sharedKey('evm.blockTimes', (): BlockTimes => new Map());

/** How many answers are in memory at a time. */
const BLOCK_CONCURRENCY = 500;

/**
 * Reads the time of the block of each log or transaction, once for each block in a run. It is null if the node has no
 * such block.
 */
export async function readBlockTimes(
	reader: RpcReader,
	things: readonly JsonObject[],
): Promise<(thing: JsonObject) => string | null> {
	const times = reader.shared(BLOCK_TIMES);
	const blocks = things.map((thing) =>
		getOwnTime(thing) === null ? getBlockId(thing) : undefined,
	);
	const unknown = [...new Set(blocks)].filter((block) => block !== undefined && !times.has(block));
	await mapInParallel(unknown.length, BLOCK_CONCURRENCY, async (index) => {
		const block = unknown[index] ?? '';
		times.set(block, await readBlockTime(reader, block));
	});
	return (thing) => getOwnTime(thing) ?? times.get(getBlockId(thing) ?? '') ?? null;
}

function getOwnTime({ blockTimestamp }: JsonObject): string | null {
	return quantityToIsoDate(blockTimestamp);
}

/** Prefers the hash as the name of a block, because a reorganization may give its number to another block. */
function getBlockId({ blockHash, blockNumber }: JsonObject): string | undefined {
	if (typeof blockHash === 'string') return blockHash;
	if (typeof blockNumber === 'number') return numberToHex(blockNumber);
	return typeof blockNumber === 'string' ? blockNumber : undefined;
}

const HASH_CHARS = 66;

/** Returns null if the node refuses, so that a block that the node no longer has does not fail the whole list. */
async function readBlockTime(reader: RpcReader, block: string): Promise<string | null> {
	const method = block.length === HASH_CHARS ? 'eth_getBlockByHash' : 'eth_getBlockByNumber';
	try {
		const found = await reader.call(method, [block, false]);
		return isRecord(found) ? quantityToIsoDate(found.timestamp) : null;
	} catch (failure) {
		return isRefusal(failure) ? null : rethrow(failure);
	}
}

/** Finds the last block at or before a moment; null if even the first block is later. */
export async function readBlockAtTime(
	reader: RpcReader,
	moment: number,
): Promise<JsonObject | null> {
	const latest = await readBlock(reader, 'latest');
	const head = parseTimedBlock(latest) ?? raise(invalidResponseError('its latest block', null));
	if (head.time <= moment) return head.json;
	const blocks = new Map<number, JsonObject>();
	const first = await findFirstAfter(moment, head, async (number) => {
		const block = parseTimedBlock(await readBlock(reader, numberToHex(number)));
		if (block && block.number !== number)
			throw invalidResponseError('the blocks that were asked for', block.json);
		if (block) blocks.set(number, block.json);
		return block?.time;
	});
	return blocks.get(first - 1) ?? null;
}

async function readBlock(reader: RpcReader, block: string): Promise<unknown> {
	return await reader.call('eth_getBlockByNumber', [block, false]);
}

interface ParsedBlock extends TimedBlock {
	readonly json: JsonObject;
}

function parseTimedBlock(json: unknown): ParsedBlock | undefined {
	if (json === null) return undefined;
	if (!isRecord(json)) throw invalidResponseError('a block', json);
	return { json, number: parseBlockNumber(json.number), time: parseBlockNumber(json.timestamp) };
}
