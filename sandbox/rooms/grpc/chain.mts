import { status } from '@grpc/grpc-js';
import { pause } from '../../wire/pause.mts';
import { type Block, buildBlock, findNumber } from './blocks.mts';
import {
	bidirectionalHandler,
	clientStreamHandler,
	GrpcFailure,
	serverStreamHandler,
	unaryHandler,
} from './methods.mts';

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

export const chainHandlers = {
	GetBlock: unaryHandler(getBlock),
	StreamBlocks: serverStreamHandler(streamBlocks),
	CountBlocks: clientStreamHandler(countBlocks),
	Watch: bidirectionalHandler(watchBlocks),
};

function getBlock({ number, hash }: GetBlock): Block {
	if (number !== undefined) return buildBlock(BigInt(number));
	if (!hash) throw new GrpcFailure(status.INVALID_ARGUMENT, 'number or hash must be given');
	const found = findNumber(hash);
	if (found === undefined) throw new GrpcFailure(status.NOT_FOUND, 'no block has this hash');
	return buildBlock(found);
}

async function* streamBlocks({ from, count, intervalMs }: StreamBlocks): AsyncGenerator<Block> {
	for (let sent = 0; count === 0 || sent < count; sent++) {
		if (sent > 0) await pause(intervalMs);
		yield buildBlock(BigInt.asUintN(64, BigInt(from) + BigInt(sent)));
	}
}

async function countBlocks(asked: AsyncIterable<GetBlock>): Promise<{ count: number }> {
	let count = 0;
	for await (const _ of asked) count++;
	return { count };
}

async function* watchBlocks(asked: AsyncIterable<GetBlock>): AsyncGenerator<Block> {
	for await (const request of asked) yield getBlock(request);
}
