import { createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { bytesOf, FILE } from './described.mts';

/** Starts an HTTP/2 server whose reflection describes `FILE`. The test writes all other answers. */
export async function startRawServer(answer: (stream: ServerHttp2Stream) => void, at = 0) {
	const server = createServer();
	const sessions = new Set<ServerHttp2Session>();
	let connections = 0;
	let pings = 0;
	server.on('session', (session) => {
		connections++;
		sessions.add(session);
		session.on('ping', () => pings++);
		session.on('error', () => {});
		session.on('close', () => sessions.delete(session));
	});
	server.on('stream', (stream, headers) => {
		stream.on('error', () => {});
		if (String(headers[':path']).includes('Reflection')) describe(stream);
		else answer(stream);
	});
	await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		endpoint: `127.0.0.1:${port}`,
		stop: () => server.close(),
		/** The counts so far. */
		seen: () => ({ connections, pings }),
		/** Ends the server and all its connections at once. */
		cut: async () => {
			const closed = new Promise((resolve) => server.close(resolve));
			for (const session of sessions) session.destroy();
			await closed;
		},
	};
}

function describe(stream: ServerHttp2Stream): void {
	stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
	stream.on('data', () => {
		const files = new BinaryWriter().tag(1, WireType.LengthDelimited).bytes(bytesOf(FILE)).finish();
		stream.write(framed(new BinaryWriter().tag(4, WireType.LengthDelimited).bytes(files).finish()));
	});
}

/** Adds the header with flag and length that gRPC puts before each message. */
export function framed(message: Uint8Array, flag = 0): Buffer {
	const head = Buffer.alloc(5);
	head[0] = flag;
	head.writeUInt32BE(message.length, 1);
	return Buffer.concat([head, message]);
}

/** Sends messages and the trailers that end the call. */
export function ending(
	stream: ServerHttp2Stream,
	messages: readonly Buffer[],
	trailers: Readonly<Record<string, string>> = { 'grpc-status': '0' },
	headers: Readonly<Record<string, string>> = {},
): void {
	stream.respond(
		{ ':status': 200, 'content-type': 'application/grpc', ...headers },
		{ waitForTrailers: true },
	);
	stream.on('wantTrailers', () => stream.sendTrailers(trailers));
	for (const message of messages) stream.write(message);
	stream.end();
}
