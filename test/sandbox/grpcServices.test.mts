import { status } from '@grpc/grpc-js';
import { type Sandbox, startSandbox } from '../harness/sandbox.mts';
import { all, failure, type Fields, rawClient } from './support/grpcClient.mts';

let sandbox: Sandbox;
let client: ReturnType<typeof rawClient>;
beforeAll(async () => {
	sandbox = await startSandbox({ grpc: true });
	client = rawClient(sandbox);
});
afterAll(async () => {
	client.close();
	await sandbox.stop();
});

const block = (number: string) => ({ number });

describe('blocks', () => {
	const get = (request: Fields) => client.call('chain.v1.ChainService/GetBlock', request);

	test.each(['0', '9007199254740993', '18446744073709551615'])(
		'block %s is exact, always the same, and found by its hash',
		async (number) => {
			const found = await get({ number });
			expect(found.number).toBe(number);
			expect(await get({ hash: found.hash })).toEqual(found);
		},
	);

	test('streams of all kinds', async () => {
		const request = { from: '9007199254740992', count: 3, interval_ms: 1 };
		const sent = await all<Fields>(client.stream('chain.v1.ChainService/StreamBlocks', request));
		const numbers = ['9007199254740992', '9007199254740993', '9007199254740994'];
		expect(sent.map(({ number }) => number)).toEqual(numbers);
		expect(await client.count(numbers.map(block))).toEqual({ count: '3' });
		const watching = client.talk('chain.v1.ChainService/Watch');
		for (const number of numbers) watching.write(block(number));
		watching.end();
		expect(await all(watching)).toEqual(sent);
	});

	test('what is not asked properly is refused, in the middle of a stream too', async () => {
		expect((await failure(get({}))).code).toBe(status.INVALID_ARGUMENT);
		expect((await failure(get({ hash: Buffer.alloc(32) }))).code).toBe(status.NOT_FOUND);
		const watching = client.talk('chain.v1.ChainService/Watch');
		watching.write(block('1'));
		watching.write({});
		expect((await failure(all(watching))).code).toBe(status.INVALID_ARGUMENT);
	});
});

describe('echo', () => {
	// The bytes contain -0.0, a NaN with a payload, an unknown enum number, a map key of 64 bits, a present 0, an unknown field.
	const bytes = Buffer.from(
		[
			'090000000000000080',
			'150100c07f',
			'800163',
			'b2030b0880808080808080808001',
			'a00100',
			'f8ff0701',
		].join(''),
		'hex',
	);

	test('bytes come back as they were', async () => {
		expect(await client.call<Buffer>('chain.v1.EchoService/Echo', bytes)).toEqual(bytes);
	});

	test('a stream repeats what it got', async () => {
		const message = { string_value: 'é', children_by_name: { a: { int64_value: '-1' } } };
		const stream = client.stream('chain.v1.EchoService/EchoStream', { message, times: 2 });
		expect(await all(stream)).toEqual([message, message]);
	});

	test('what is no such message is refused', async () => {
		const cut = client.call('chain.v1.EchoService/Echo', bytes.subarray(0, 5));
		expect((await failure(cut)).code).toBe(status.INVALID_ARGUMENT);
	});
});

describe('trouble', () => {
	test('a status, a late answer, a stream that breaks, an echoed token, a large answer', async () => {
		const call = (name: string, request: Fields = {}) =>
			client.call(`chain.v1.TroubleService/${name}`, request);
		const failed = await failure(call('Fail', { code: 5, message: 'nicht da: é' }));
		expect([failed.code, failed.details]).toEqual([5, 'nicht da: é']);
		expect(await call('Slow', { delay_ms: 20 })).toEqual({ delay_ms: 20 });
		const counts: unknown[] = [];
		const breaking = client.stream('chain.v1.TroubleService/Break', { after: 2 });
		breaking.on('data', (count) => counts.push(count));
		const { code, details } = await new Promise<Fields>((end) => breaking.on('error', end));
		expect([code, details]).toEqual([status.INTERNAL, 'broke on purpose']);
		expect(counts).toEqual([{ count: '1' }, { count: '2' }]);
		const reported = await failure(call('EchoToken'));
		expect(reported.details).toContain(Buffer.from(sandbox.xToken!).toString('base64'));
		expect((await call('Huge', { bytes: 1_000_000 })).data).toHaveLength(1_000_000);
	});
});
