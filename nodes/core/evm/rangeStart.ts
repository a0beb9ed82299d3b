import { countBack, isDistanceBack, type DistanceBack } from '../chain/back';
import type { RpcReader } from '../chain/reader';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import { numberToHex } from '../values/numbers';
import { isRecord } from '../values/parse';
import { parseBlockNumber } from './blocks';
import { readBlockAtTime } from './blockTimes';
import { buildRangeEnds, type RangeEnds } from './ranges';
import { raise } from '../errors/raise';

/** A range of blocks, as the user enters it. */
export interface RangeInput {
	readonly fromBlock: string | DistanceBack;
	readonly toBlock: string;
}

/** Finds the ends of a range. The range may begin at a distance before its end. */
export async function readRangeEnds(
	reader: RpcReader,
	{ fromBlock, toBlock }: RangeInput,
): Promise<RangeEnds> {
	if (!isDistanceBack(fromBlock)) return buildRangeEnds({ fromBlock, toBlock });
	const last = await readBlock(reader, toBlock);
	const first = await findFirstBlock(reader, fromBlock, last);
	if (first > parseBlockNumber(last.number)) throw disorderError();
	return { from: numberToHex(first), to: toBlock };
}

function disorderError(): RequestFailure {
	return new RequestFailure(
		"'From Block' can't be a time here: the times of the chain node's blocks are out of order",
		{ description: "Set 'From Block' to a block number, or to a number of blocks back." },
	);
}

type JsonBlock = Readonly<Record<string, unknown>>;

async function readBlock(reader: RpcReader, block: string): Promise<JsonBlock> {
	const found = await reader.call('eth_getBlockByNumber', [block, false]);
	if (found === null) throw new RequestFailure(`The chain node has no block ${block}`);
	return isRecord(found) ? found : raise(invalidResponseError('a block', found));
}

async function findFirstBlock(reader: RpcReader, { unit, count }: DistanceBack, last: JsonBlock) {
	if (unit === 'block') return countBack(parseBlockNumber(last.number), count);
	const before = await readBlockAtTime(reader, parseBlockNumber(last.timestamp) - count);
	return before ? parseBlockNumber(before.number) + 1 : 0;
}
