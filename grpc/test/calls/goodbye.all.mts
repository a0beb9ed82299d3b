import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { ChainNodeXTokenApi } from '../../credentials/ChainNodeXTokenApi.credentials';
import { connectEndpoint } from '../../nodes/core/endpoint';
import { callOf, runAt, startLyingServer } from '../support/lyingServer.mts';
import { ending, framed, startRawServer } from '../support/rawServer.mts';

test('2,000 calls through a server that ages its connections at 0.5 s: none fails, none is made twice', async () => {
	const server = await startLyingServer({
		options: { 'grpc.max_connection_age_ms': 500, 'grpc.max_connection_age_grace_ms': 60_000 },
		methods: { '/t.S/SendIt': (request) => request },
	});
	const items = Array.from({ length: 2000 }, (_, n) => ({ json: { n: String(n) } }));
	const begun = Date.now();
	const { json, message } = await server.run(callOf('SendIt', '={{ $json }}'), { items });
	const seconds = ((Date.now() - begun) / 1000).toFixed(1);
	expect(message).toBeUndefined();
	expect(json.map(({ n }) => n)).toEqual(items.map((item) => item.json.n));
	expect(server.calls).toHaveLength(2000);
	process.stdout.write(
		`2,000 calls over ${server.peers.size} connections that end after 0.5 s: 0 failed, ${seconds} s\n`,
	);
	server.stop();
});

/** Makes many calls at the same time. */
async function callMany(endpoint: string, count: number, method = 'SendIt') {
	const credential = { endpoint, xToken: 'token-0123456789', tls: false };
	const { call, close } = await connectEndpoint(credential, new ChainNodeXTokenApi().properties);
	const one = async (n: number) =>
		await call(
			{
				service: 't.S',
				method,
				schema: { from: 'reflection' },
				requests: { by: 'one', json: { n } },
				timeout: 60_000,
				maxMessages: 5,
			},
			async () => {},
		);
	let next = 0;
	const worker = async () => {
		while (next < count) await one(next++);
	};
	await Promise.all(Array.from({ length: 50 }, worker)).finally(close);
}

/** Carries out a call, and counts it by the number in its request. */
function carryOut(stream: ServerHttp2Stream, carriedOut: Map<bigint, number>): void {
	const chunks: Buffer[] = [];
	stream.on('data', (chunk: Buffer) => chunks.push(chunk));
	stream.on('end', () => {
		const reader = new BinaryReader(Buffer.concat(chunks).subarray(5));
		const number = reader.len > 0 && reader.tag() ? BigInt(reader.uint64()) : 0n;
		carriedOut.set(number, (carriedOut.get(number) ?? 0) + 1);
		ending(stream, [framed(Buffer.of(8, 5))]);
	});
}

const expectOnceEach = (carriedOut: Map<bigint, number>, count: number) => {
	expect(carriedOut.size).toBe(count);
	expect(new Set(carriedOut.values())).toEqual(new Set([1]));
};

test.each(['SendIt', 'Stream'])(
	'%s that is refused, and refused again, is made again',
	async (method) => {
		const carriedOut = new Map<bigint, number>();
		let seen = 0;
		const server = await startRawServer((stream) =>
			++seen % 4 ? stream.close(7) : carryOut(stream, carriedOut),
		);
		await callMany(server.endpoint, 100, method);
		expectOnceEach(carriedOut, 100);
		expect(seen).toBeGreaterThanOrEqual(400);
		server.stop();
	},
);

async function sayGoodbye(
	session: ServerHttp2Session,
	code: number,
	last: number,
	ended: Promise<unknown>,
): Promise<void> {
	// A GOAWAY with an error would end open streams at once, so they must end first.
	if (code !== 0) await ended;
	if (!session.destroyed) session.goaway(code, last);
	await ended;
	setTimeout(() => session.destroy(), 200);
}

test.each([
	['waits for what it has taken', 0],
	['names an error', 2],
	['has had too much', 11],
])('a server that says goodbye after 40 calls, and %s', async (_, code) => {
	const carriedOut = new Map<bigint, number>();
	const taken = new WeakMap<ServerHttp2Session, Array<Promise<void>>>();
	const server = await startRawServer((stream) => {
		const session = stream.session as ServerHttp2Session;
		const own = taken.get(session) ?? [];
		taken.set(session, own);
		// Later streams are ignored.
		if (own.length === 40) return;
		own.push(new Promise((resolve) => stream.once('close', resolve)));
		carryOut(stream, carriedOut);
		if (own.length === 40) void sayGoodbye(session, code, Number(stream.id), Promise.all(own));
	});
	await callMany(server.endpoint, 400);
	expectOnceEach(carriedOut, 400);
	server.stop();
});

test('a service that is away for a moment is waited for, once it has answered', async () => {
	let server = await startRawServer((stream) => carryOut(stream, new Map()));
	const { endpoint } = server;
	const credential = { endpoint, xToken: 'token-0123456789', tls: false };
	const open = await connectEndpoint(credential, new ChainNodeXTokenApi().properties);
	const call = async () =>
		await open.call(
			{
				service: 't.S',
				method: 'Do',
				schema: { from: 'reflection' },
				requests: { by: 'one', json: {} },
				timeout: 60_000,
				maxMessages: 1,
			},
			async () => {},
		);
	await call();
	await server.cut();
	const second = call();
	await new Promise((resolve) => setTimeout(resolve, 500));
	server = await startRawServer(
		(stream) => carryOut(stream, new Map()),
		Number(endpoint.split(':')[1]),
	);
	expect(await second).toMatchObject({ messages: [{ n: '5' }] });
	open.close();
	server.stop();
});

test('what was under way when the connection was lost is not made again', async () => {
	let seen = 0;
	const server = await startRawServer((stream) => {
		seen++;
		setTimeout(() => stream.session?.destroy(), 20);
	});
	const found = await runAt(server.endpoint, callOf('SendIt', { n: 1 }));
	expect(found.message).toBe('The connection to the service was lost before it answered');
	expect(found.description).toMatch(/may still have been carried out/);
	expect(seen).toBe(1);
	server.stop();
});
