import { status } from '@grpc/grpc-js';
import { pause } from '../../wire/pause.mts';
import { type Block, blockAt, numberOf } from './blocks.mts';
import { bidirectional, clientStreaming, Failure, serverStreaming, unary } from './methods.mts';

interface GetBlock {
	number?: string;
	hash?: Buffer;
}

interface StreamBlocks {
	from: string;
	/** 0 is without end. */
	count: number;
	intervalMs: number;
}

export const chain = {
	GetBlock: unary(blockAsked),
	StreamBlocks: serverStreaming(blocksFrom),
	CountBlocks: clientStreaming(countOf),
	Watch: bidirectional(blocksAsked),
};

function blockAsked({ number, hash }: GetBlock): Block {
	if (number !== undefined) return blockAt(BigInt(number));
	if (!hash) throw new Failure(status.INVALID_ARGUMENT, 'number or hash must be given');
	const found = numberOf(hash);
	if (found === undefined) throw new Failure(status.NOT_FOUND, 'no block has this hash');
	return blockAt(found);
}

async function* blocksFrom({ from, count, intervalMs }: StreamBlocks): AsyncGenerator<Block> {
	for (let sent = 0; count === 0 || sent < count; sent++) {
		if (sent > 0) await pause(intervalMs);
		yield blockAt(BigInt.asUintN(64, BigInt(from) + BigInt(sent)));
	}
}

async function countOf(asked: AsyncIterable<GetBlock>): Promise<{ count: number }> {
	let count = 0;
	for await (const _ of asked) count++;
	return { count };
}

async function* blocksAsked(asked: AsyncIterable<GetBlock>): AsyncGenerator<Block> {
	for await (const request of asked) yield blockAsked(request);
}
