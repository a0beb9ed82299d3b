import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { INodeParameters } from 'n8n-workflow';
import { callOf as callSandbox, createGrpcSandbox } from '../support/grpcSandbox.mts';
import { inTime } from '../support/inTime.mts';
import { createLyingServer, status } from '../support/lyingServer.mts';

type Talk = ServerDuplexStream<Buffer, Buffer>;

const many = (requests: unknown, options: INodeParameters = {}): INodeParameters => ({
	requestsBy: 'many',
	requests: typeof requests === 'string' ? requests : JSON.stringify(requests),
	options,
});

describe('the sandbox', () => {
	const sandbox = createGrpcSandbox();
	const run = async (method: string, parameters: INodeParameters) => {
		const { items, error } = await sandbox.run(
			{ ...callSandbox('ChainService', method), ...parameters },
			// The test uses no TLS: the library was loaded before the certificate existed, so it does not trust the certificate.
			{ credential: sandbox.plain },
		);
		return error?.message ?? items.map(({ json }) => json);
	};
	const numbers = (count: number) => Array.from({ length: count }, (_, number) => ({ number }));

	test('takes a stream of requests, and answers once', async () => {
		expect(await run('CountBlocks', many(numbers(10_000)))).toEqual([{ count: '10000' }]);
		expect(await run('CountBlocks', many([]))).toEqual([{ count: '0' }]);
		expect(await run('CountBlocks', { request: '{"number": 5}' })).toEqual([{ count: '1' }]);
	});

	test('answers each request of a stream, in order', async () => {
		const blocks = await run('Watch', many(numbers(250), { maxMessages: 1000 }));
		expect((blocks as Array<{ number: string }>).map(({ number }) => Number(number))).toEqual(
			numbers(250).map(({ number }) => number),
		);
	});

	test('breaks off where a request is wrong: what it had answered is kept', async () => {
		const found = await run('Watch', many([{ number: 1 }, { number: 2 }, {}, { number: 4 }]));
		expect(found).toMatchObject([
			{ number: '1' },
			{ number: '2' },
			{
				error: 'number or hash must be given',
				message:
					'chain.v1.ChainService/Watch ended with INVALID_ARGUMENT (3), after 2 messages had arrived. Check the fields of the request.',
			},
		]);
	});

	test.each<[string, string, INodeParameters, string | RegExp]>([
		[
			'many for a method of one',
			'GetBlock',
			many([{}, {}]),
			'The method GetBlock takes exactly one request, but 2 were given',
		],
		[
			'none for a method of one',
			'StreamBlocks',
			many([]),
			'The method StreamBlocks takes exactly one request, but 0 were given',
		],
		[
			'no list',
			'Watch',
			many('{"number": 1}'),
			'\'Requests\' must be a JSON array; got {"number":1}',
		],
		['no JSON', 'Watch', many('[1'), '\'Requests\' must be JSON; got "[1"'],
		[
			'a wrong one',
			'Watch',
			many([{ number: 1 }, { nope: 2 }]),
			"'Requests' [1] does not fit chain.v1.GetBlockRequest: nope is not a field of chain.v1.GetBlockRequest",
		],
	])('is not asked with %s', async (_, method, parameters, words) => {
		await sandbox.reset();
		expect(await run(method, parameters)).toMatch(words);
		expect((await sandbox.seen()).calls.filter(({ method: one }) => /Chain/.test(one))).toEqual([]);
	});

	test('takes one of many where it takes one', async () => {
		expect(await run('GetBlock', many([{ number: 7 }]))).toMatchObject([{ number: '7' }]);
	});
});

describe('a service', () => {
	let talk: (call: Talk) => void;
	const server = createLyingServer({
		bidis: { '/t.S/Talk': (call) => talk(call), '/t.S/Gather': (call) => talk(call) },
	});
	beforeEach(() => {
		server.calls.length = 0;
	});

	const run = async (requests: unknown, options: INodeParameters = {}, method = 'Talk') =>
		await server.run({ operation: 'call', service: 't.S', method, ...many(requests, options) });
	const numbered = (count: number) => Array.from({ length: count }, (_, n) => ({ n: String(n) }));

	test('that reads slowly gets everything in order, and answers when it has all', async () => {
		const large = 'x'.repeat(20_000);
		talk = (call) => {
			const seen: Buffer[] = [];
			call.on('data', (request: Buffer) => {
				seen.push(request);
				call.pause();
				setTimeout(() => call.resume(), seen.length % 50 ? 0 : 20);
			});
			call.on('end', () => {
				for (const request of seen) call.write(request.subarray(0, 2));
				call.end();
			});
		};
		const requests = numbered(384).map(({ n }) => ({ n: String((Number(n) % 100) + 1), s: large }));
		const { json, message } = await run(requests, { maxMessages: 1000 });
		expect(message).toBeUndefined();
		expect(json.map(({ n }) => n)).toEqual(requests.map(({ n }) => n));
	});

	test('that has enough before all is sent is not sent more', async () => {
		talk = (call) => {
			call.write(Buffer.of(8, 5));
			call.end();
		};
		const { json } = await run(numbered(5000).map((one) => ({ ...one, s: 'x'.repeat(5000) })));
		expect(json).toMatchObject([{ n: '5' }]);
	});

	test('that never ends is closed after Max Messages, or when the time is over', async () => {
		let isOver = false;
		talk = (call) => {
			call.on('data', (request: Buffer) => call.write(request));
			call.on('cancelled', () => (isOver = true));
		};
		const { json } = await run(numbered(10), { maxMessages: 3 });
		expect(json.map(({ n }) => n)).toEqual(['0', '1', '2']);
		while (!isOver) await new Promise((resolve) => setTimeout(resolve, 10));
		const found = await inTime(
			async (timeout) => await run(numbered(10), { timeout }),
			(answered) => answered.json.length >= 10,
		);
		expect(found.message).toBeUndefined();
		expect(found.json.map(({ n }) => n)).toEqual(numbered(10).map(({ n }) => n));
	});

	test('that breaks off before it answers fails, and one that breaks off later does not take back what it said', async () => {
		talk = (call) => void call.emit('error', status(13, 'broken'));
		const failed = await run(numbered(3));
		expect(failed.message).toBe('broken');
		expect(failed.description).toMatch(/may still have been carried out/);
		talk = (call) => {
			for (let count = 1; count <= 50; count++) call.write(Buffer.of(8, count));
			call.emit('error', status(13, 'broken'));
		};
		const { json, message } = await run(numbered(3));
		expect(message).toBeUndefined();
		expect(json).toHaveLength(51);
		expect(json.at(-1)?.error).toBe('broken');
		expect(json.at(-1)?.message).toMatch(/after 50 messages had arrived/);
	});

	test('that must answer once and does not is a failure', async () => {
		talk = (call) => call.end();
		const { message, description } = await run(numbered(3), {}, 'Gather');
		expect(message).toBe('The service reported success, but gave no answer');
		expect(description).toMatch(/may still have been carried out/);
	});

	test('whose connection is lost is not sent anything twice', async () => {
		talk = (call) => {
			call.on('data', () => {});
			setTimeout(() => server.stop(), 200);
		};
		expect((await run(numbered(3))).message).toMatch(/lost|cancelled/);
		expect(server.calls).toHaveLength(1);
	});
});
