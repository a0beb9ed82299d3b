import { status, type ServiceDefinition, type Metadata } from '@grpc/grpc-js';
import { getSpellings } from '../../http/faults.mts';
import { pause } from '../../http/time.mts';
import { type Block, buildBlock, findNumber } from './blocks.mts';
import { echoService, rawEchoStreamRequest } from './definitions.mts';
import {
	bidirectionalHandler,
	clientStreamHandler,
	GrpcFailure,
	serverStreamHandler,
	unaryHandler,
} from './handlers.mts';

interface GetBlock {
	number?: string;
	hash?: Buffer;
}

interface StreamBlocks {
	from: string;
	/** The number of messages of a stream. 0 means a stream without an end. */
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

async function countBlocks(requests: AsyncIterable<GetBlock>): Promise<{ count: number }> {
	let count = 0;
	for await (const _ of requests) count++;
	return { count };
}

async function* watchBlocks(requests: AsyncIterable<GetBlock>): AsyncGenerator<Block> {
	for await (const request of requests) yield getBlock(request);
}

const { Echo, EchoStream } = echoService as Record<
	'Echo' | 'EchoStream',
	ServiceDefinition[string]
>;

const passBytes = (bytes: Buffer) => bytes;

/**
 * The service passes messages on as bytes. Decoding and encoding them would lose fields that the library does not keep.
 */
export const rawEchoService: ServiceDefinition = {
	Echo: { ...Echo, requestDeserialize: passBytes, responseSerialize: passBytes },
	EchoStream: {
		...EchoStream,
		requestDeserialize: rawEchoStreamRequest.deserialize,
		responseSerialize: passBytes,
	},
};

export const echoHandlers = {
	Echo: unaryHandler(checkMessage),
	EchoStream: serverStreamHandler(repeatMessage),
};

function* repeatMessage({ message, times }: { message: Buffer; times: number }): Generator<Buffer> {
	checkMessage(message);
	for (let sent = 0; sent < times; sent++) yield message;
}

function checkMessage(bytes: Buffer): Buffer {
	try {
		Echo.requestDeserialize(bytes);
		return bytes;
	} catch (error) {
		const { message } = error as Error;
		throw new GrpcFailure(
			status.INVALID_ARGUMENT,
			`not a message of chain.v1.Everything: ${message}`,
		);
	}
}

export const troubleHandlers = {
	Fail: unaryHandler(({ code, message }: { code: number; message: string }) => {
		if (code !== status.OK) throw new GrpcFailure(code, message);
		return {};
	}),
	Slow: unaryHandler(async ({ delayMs }: { delayMs: number }) => {
		await pause(delayMs);
		return { delayMs };
	}),
	Break: serverStreamHandler(breakAfter),
	EchoToken: unaryHandler((_request: object, metadata: Metadata) => {
		const token = String(metadata.get('x-token')[0]);
		throw new GrpcFailure(status.INTERNAL, `x-token was ${getSpellings(token).join(', ')}`);
	}),
	Huge: unaryHandler(({ bytes }: { bytes: number }) => ({ data: Buffer.alloc(bytes, 7) })),
};

function* breakAfter({ after }: { after: number }): Generator<{ count: number }> {
	for (let count = 1; count <= after; count++) yield { count };
	throw new GrpcFailure(status.INTERNAL, 'broke on purpose');
}
