import type { ServerWritableStream } from '@grpc/grpc-js';
import type { ServerHttp2Stream } from 'node:http2';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { inTime } from '../support/inTime.mts';
import {
	callOf,
	createLyingServer,
	runAt,
	startLyingServer,
	status,
	throwStatus,
} from '../support/lyingServer.mts';
import { ending, framed, startRawServer } from '../support/rawServer.mts';
import { waitUntil } from '../support/grpcSandbox.mts';

const DOUBT = /may still have been carried out/;
/** The cases in which a call waits until its deadline. */
const WAITED_FOR = ['silence', 'a refused stream'];

test.each([
	'Stream refused by server policy X',
	'Stream refused by server',
	'Call cancelled by the operator: nonce too low',
	'Connection dropped',
	'read ECONNRESET from upstream',
	'Deadline exceeded after 3 s, Waiting for LB pick',
	'No connection established. Last error: connect ECONNREFUSED 10.0.0.5:443. Resolution note: ',
])('the service’s own words "%s" are reported, with the doubt', async (words) => {
	const server = await startLyingServer({
		methods: { '/t.S/Do': () => throwStatus(14, words) },
		streams: {
			'/t.S/Stream': (call) => {
				call.sendMetadata(call.metadata);
				setTimeout(() => call.emit('error', status(14, words)), 20);
			},
		},
	});
	for (const method of ['Do', 'Stream']) {
		const { message, description } = await server.run(callOf(method));
		expect(message).toBe(words.trim());
		expect(description).toMatch(/UNAVAILABLE \(14\)/);
		expect(description).toMatch(DOUBT);
	}
	server.stop();
});

test('the endpoint is struck in any case', async () => {
	const server = await startLyingServer({
		methods: { '/t.S/Do': () => throwStatus(3, `localhost:${port} says no`) },
	});
	const port = server.endpoint.split(':')[1];
	const credential = { endpoint: `LocalHost:${port}` };
	expect((await server.run(callOf('Do'), { credential })).message).toBe('*** says no');
	server.stop();
});

test.each<[string, (stream: ServerHttp2Stream) => void, string, RegExp]>([
	[
		'an unknown packing',
		(stream) => ending(stream, [framed(Buffer.of(8), 1)], undefined, { 'grpc-encoding': 'br' }),
		'The answer is compressed in a way that is not known',
		DOUBT,
	],
	[
		'HTML',
		(stream) => {
			stream.respond({ ':status': 200, 'content-type': 'text/html' });
			stream.end('<!DOCTYPE html><p>Welcome</p>');
		},
		'The endpoint does not speak gRPC',
		/Check the Endpoint.*may still have been carried out/,
	],
	[
		'a refused stream',
		(stream) => stream.close(7),
		'The service turned the call away',
		/It was not carried out: send it again\.$/,
	],
	[
		'silence',
		() => {},
		'The service did not answer in time',
		/The option 'Timeout'.*may still have been carried out/,
	],
	[
		'half a message',
		(stream) => {
			stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
			stream.write(Buffer.from([0, 0, 0, 0, 9, 1]));
			setTimeout(() => stream.close(2), 20);
		},
		'The connection to the service was lost before it answered',
		DOUBT,
	],
])('%s instead of an answer', async (what, answer, message, description) => {
	const server = await startRawServer(answer);
	for (const method of ['Do', 'Stream']) {
		const call = async (timeout?: number) =>
			await runAt(server.endpoint, callOf(method, {}, { timeout }));
		const found = WAITED_FOR.includes(what)
			? await inTime(call, (reported) => description.test(reported.description))
			: await call();
		expect(found.message).toBe(message);
		expect(found.description).toMatch(description);
	}
	server.stop();
});

test('a call that is refused while its request is written is made again', async () => {
	let seen = 0;
	const server = await startRawServer((stream) => {
		if (++seen < 3) stream.close(7);
		else ending(stream.resume(), [framed(Buffer.of(8, 5))]);
	});
	// The server has not taken all of such a request when it refuses the call.
	const { json, message } = await runAt(
		server.endpoint,
		callOf('Do', { s: 'x'.repeat(1_000_000) }),
	);
	expect(message).toBeUndefined();
	expect(json).toMatchObject([{ n: '5' }]);
	expect(seen).toBe(3);
	server.stop();
});

test('a call that ends well without an answer is a failure, a stream is empty', async () => {
	const server = await startRawServer((stream) => ending(stream, []));
	const { message, description } = await runAt(server.endpoint, callOf('Do'));
	expect(message).toBe('The service reported success, but gave no answer');
	expect(description).toMatch(DOUBT);
	expect(await runAt(server.endpoint, callOf('Stream'))).toMatchObject({ json: [] });
	server.stop();
});

test('a gateway’s HTTP 429 is a limit', async () => {
	let calls = 0;
	const server = await startRawServer((stream) => {
		if (++calls === 1) stream.respond({ ':status': 429 }, { endStream: true });
		else ending(stream, [framed(Buffer.of(8, 5))]);
	});
	expect((await runAt(server.endpoint, callOf('Do'))).json).toMatchObject([{ n: '5' }]);
	expect(calls).toBe(2);
	server.stop();
});

describe('a service whose clock differs', () => {
	let early: number;

	/** Sends one answer. Shortly before the deadline, it ends the call with the status of an exceeded deadline. */
	function answerAndEnd(call: ServerWritableStream<Buffer, Buffer>): void {
		call.write(Buffer.of(8, 5));
		const left = Number(call.getDeadline()) - Date.now();
		setTimeout(() => call.emit('error', status(4, 'too late')), left - early);
	}

	const service = createLyingServer({ streams: { '/t.S/Stream': answerAndEnd } });

	const streamFor = async (timeout: number) =>
		(await service.run({ ...callOf('Stream'), options: { timeout } })).json;

	test('by a little ends a stream in time', async () => {
		early = 30;
		const found = await inTime(streamFor, ([first]) => first?.n !== undefined);
		expect(found).toEqual([expect.objectContaining({ n: '5' })]);
	});

	test('by much has broken the stream off', async () => {
		early = 59_900;
		const reported = {
			error: 'too late',
			message: expect.stringContaining('after 1 message had arrived'),
		};
		expect(await streamFor(60_000)).toMatchObject([{ n: '5' }, reported]);
	});
});

const open = new Set<Socket>();
const silent = createServer((socket) => {
	open.add(socket);
	socket.on('close', () => open.delete(socket));
	socket.on('error', () => {});
	socket.resume();
});
let endpoint = '';

beforeAll(async () => {
	await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
	endpoint = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
});
afterAll(() => silent.close());

describe.each([
	['with TLS', true],
	['without TLS', false],
])('a server that accepts and stays silent, %s', (_, tls) => {
	test('is not reached in time, and no socket stays open', async () => {
		const found = await runAt(endpoint, callOf('Do', {}, { timeout: 300 }), {
			credential: { tls },
		});
		expect(found.message).toBe('The endpoint could not be reached in time');
		expect(found.description).toMatch(/Use TLS/);
		expect(found.description).not.toMatch(/carried out/);
		await waitUntil(async () => open.size === 0);
	});

	test('is left when the execution is stopped', async () => {
		await runAt(endpoint, callOf('Do'), { credential: { tls }, stopAfter: 200 });
		await waitUntil(async () => open.size === 0);
	});
});
