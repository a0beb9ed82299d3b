import type { ServerDuplexStream } from '@grpc/grpc-js';
import type { INodeParameters } from 'n8n-workflow';
import { runManually } from '../../../test/harness/engine.mts';
import { waitUntil } from '../../../test/harness/until.mts';
import { status } from '../support/lyingServer.mts';
import { numbered, triggerAt, triggerScene, type Stream } from '../support/triggerScene.mts';

const { streams, playing, tested, on, endpoint } = triggerScene();

const open = (stream: Stream) => stream.sendMetadata(stream.metadata);
const numbers = (items: ReadonlyArray<{ n?: unknown }>) => items.map(({ n }) => Number(n));

test('the messages of a stream start executions, in order, and its end is ours', async () => {
	playing((stream) => {
		for (let number = 1; number <= 5; number++) stream.write(numbered(number));
	});
	const trigger = await on();
	expect(numbers(await trigger.has(5))).toEqual([1, 2, 3, 4, 5]);
	expect(streams).toHaveLength(1);
	expect((streams[0] as { request?: Buffer }).request).toEqual(numbered(7));
	await trigger.close();
	await waitUntil(() => streams[0]?.cancelled);
	expect(trigger.failures).toEqual([]);
});

test('a stream in both directions gets its requests, and stays open for both', async () => {
	const asked: Buffer[] = [];
	let isHalfClosed = false;
	playing((stream) => {
		(stream as ServerDuplexStream<Buffer, Buffer>)
			.on('data', (request: Buffer) => asked.push(request))
			.on('end', () => (isHalfClosed = true));
		stream.write(numbered(9));
	});
	const parameters = { method: 'Talk', requests: '[{ "n": 1 }, { "n": 2 }]' };
	const trigger = await on({ parameters });
	await trigger.has(1);
	await waitUntil(() => asked.length === 2);
	expect(asked).toEqual([numbered(1), numbered(2)]);
	expect(isHalfClosed).toBe(false);
});

test('what comes together starts one execution', async () => {
	playing((stream) => {
		for (let number = 0; number < 100; number++) stream.write(numbered(number));
	});
	const trigger = await on();
	await trigger.has(100);
	expect(trigger.executions.length).toBeLessThan(50);
});

test('a stream that breaks, or ends, is opened again, with its requests', async () => {
	playing((stream, count) => {
		stream.write(numbered(count));
		setTimeout(() => {
			if (count === 1) stream.emit('error', status(14, 'away'));
			if (count === 2) stream.end();
		}, 50);
	});
	const trigger = await on();
	expect(numbers(await trigger.has(3))).toEqual([1, 2, 3]);
	expect(streams.map((stream) => (stream as { request?: Buffer }).request)).toEqual(
		[7, 7, 7].map(numbered),
	);
	expect(trigger.failures).toEqual([]);
});

test('an outage is reported once, and the next one again', async () => {
	let isAway = false;
	playing((stream, count) => {
		if (isAway) stream.emit('error', status(14, 'away'));
		else stream.write(numbered(count % 100));
	});
	const trigger = await on({ timing: { outageMs: 200 } });
	await trigger.has(1);
	for (const outages of [1, 2]) {
		isAway = true;
		streams.at(-1)?.emit('error', status(14, 'away'));
		await waitUntil(() => trigger.failures.length === outages);
		const tries = streams.length;
		await waitUntil(() => streams.length > tries + 5);
		expect(trigger.failures).toHaveLength(outages);
		isAway = false;
		await trigger.has(outages + 1);
	}
	expect(trigger.failures[0]).toMatchObject({
		message: 'away',
		description:
			't.S/Stream ended with UNAVAILABLE (14). Try again later. The trigger keeps trying. What the service sends meanwhile is lost, unless it sends it again.',
	});
});

test('a service that ends each stream at once is an outage, too', async () => {
	playing((stream, count) => (count === 1 ? stream.write(numbered(1)) : stream.end()));
	const trigger = await on({ timing: { outageMs: 200 } });
	await trigger.has(1);
	streams[0]?.end();
	await waitUntil(() => trigger.failures.length === 1);
	expect(trigger.failures[0]?.message).toBe('The service ended the stream');
});

test('bytes are written as chosen', async () => {
	playing((stream) => stream.write(Buffer.of(0x1a, 2, 0xab, 0xcd)));
	const trigger = await on({ parameters: { options: { bytesAs: 'hex' } } });
	expect(await trigger.has(1)).toMatchObject([{ b: '0xabcd' }]);
});

test('the schema may be given', async () => {
	playing((stream) => stream.write(numbered(5)));
	const content =
		'syntax = "proto3"; package t; message M { uint64 own_name = 1; } service S { rpc Stream (M) returns (stream M); }';
	const parameters = {
		schemaFrom: 'proto',
		protoFiles: { file: [{ content }] },
		requests: '[{ "ownName": 7 }]',
	};
	expect(await (await on({ parameters })).has(1)).toEqual([{ ownName: '5' }]);
});

describe('an activation fails', () => {
	const failure = async (...settings: Parameters<typeof on>) =>
		await on(...settings).then(
			() => 'no failure',
			(error: Error) => error.message,
		);

	test.each<[string, INodeParameters, RegExp]>([
		['without such a service', { service: 't.Nope' }, /^The endpoint offers no service t\.Nope/],
		['without such a method', { method: 'Nope' }, /^The service t\.S has no method Nope/],
		[
			'with a method that answers once',
			{ method: 'Do' },
			/^The method Do answers once, not with a stream/,
		],
		[
			'with a wrong request',
			{ requests: '[{ "nope": 1 }]' },
			/^'Requests' \[0\] does not fit t\.M: nope/,
		],
		[
			'without a request',
			{ requests: '[]' },
			/^The method Stream takes exactly one request, but 0 were/,
		],
		[
			'with two requests',
			{ requests: '[{}, {}]' },
			/^The method Stream takes exactly one request, but 2 were/,
		],
		['with no list', { requests: '{}' }, /^'Requests' must be a JSON array; got \{\}/],
	])('%s', async (_, parameters, words) => {
		expect(await failure({ parameters })).toMatch(words);
		expect(streams).toEqual([]);
	});

	test('when the service refuses the stream, in its own words', async () => {
		playing((stream) => stream.emit('error', status(16, 'invalid x-token')));
		expect(await failure()).toMatch(/^invalid x-token.*Check the X-Token in the credential/);
		expect(await failure({}, { mode: 'init' })).toMatch(/^invalid x-token/);
		expect(streams).toHaveLength(2);
	});

	test('when nobody is there, but not when n8n starts', async () => {
		const dead = triggerAt('127.0.0.1:9').credentials.chainNodeXTokenApi;
		expect(await failure({ credential: dead })).toMatch(/^The endpoint refused the connection/);
		const trigger = await on({ credential: dead, timing: { outageMs: 100 } }, { mode: 'init' });
		await waitUntil(() => trigger.failures.length === 1);
		expect(trigger.failures[0]?.message).toBe('The endpoint refused the connection');
	});
});

test('a service that neither takes nor refuses the stream has mostly taken it', async () => {
	const trigger = await on({ timing: { openTimeoutMs: 100 } });
	await waitUntil(() => streams.length === 1);
	expect(trigger.items()).toEqual([]);
	streams[0]?.write(numbered(3));
	expect(numbers(await trigger.has(1))).toEqual([3]);
});

describe('by hand', () => {
	test('one message is taken, and the stream is left', async () => {
		playing((stream) => {
			for (let number = 1; number <= 5; number++) stream.write(numbered(number));
		});
		const { items, status: ending } = await runManually(tested());
		expect(ending).toBe('success');
		expect(numbers(items.map(({ json }) => json))).toEqual([1]);
		await waitUntil(() => streams[0]?.cancelled);
	});

	test('a failure is shown', async () => {
		const { error } = await runManually(tested({ parameters: { service: 't.Nope' } }));
		expect(error?.message).toBe('The endpoint offers no service t.Nope');
	});
});

test('the endpoint and the token are in no report', async () => {
	playing((stream) => open(stream));
	const trigger = await on({ timing: { outageMs: 0 } });
	streams[0]?.emit('error', status(13, `token-0123456789 at ${endpoint()}`));
	await waitUntil(() => trigger.failures.length === 1);
	expect(trigger.failures[0]?.message).toBe('*** at ***');
});
