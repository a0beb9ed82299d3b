import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ServiceError, status } from '@grpc/grpc-js';
import {
	loadFileDescriptorSetFromBuffer,
	loadSync,
	type MessageTypeDefinition,
} from '@grpc/proto-loader';
import { createSandbox } from '../harness/sandbox.mts';
import { waitUntil } from '../harness/until.mts';
import {
	all,
	definitions,
	failure,
	type Fields,
	folder,
	type Method,
	rawClient,
} from './support/grpcClient.mts';

interface Seen {
	calls: { method: string; metadata: Record<string, string>; code: number | null }[];
	connections: number;
	openConnections: number;
}

const sandbox = createSandbox({ grpc: true });
let client: ReturnType<typeof rawClient>;
beforeAll(() => {
	client = rawClient(sandbox);
});
afterAll(() => client.close());

const seen = async () => (await sandbox.control('GET', '/grpc')) as Seen;
const set = async (settings: object) => await sandbox.control('PUT', '/grpc', settings);
const block = (number: string) => ({ number });

describe('access', () => {
	test.each(['', 'wrong'])('the token "%s" is refused, by reflection too', async (token) => {
		const stranger = rawClient(sandbox, { token });
		const calls = [
			stranger.call('chain.v1.ChainService/GetBlock', block('1')),
			stranger.reflect('v1', { list_services: '' }),
			stranger.call('chain.v1.ArchiveService/GetBlock', block('1')),
		];
		for (const call of calls) {
			const { code, details } = await failure(call);
			expect([code, details]).toEqual([status.UNAUTHENTICATED, 'invalid x-token']);
		}
		stranger.close();
	});

	test('TLS is trusted with the printed certificate, and only with it', async () => {
		const known = rawClient(sandbox, { tls: true, root: sandbox.grpcCertificate! });
		await known.call('chain.v1.ChainService/GetBlock', block('1'));
		known.close();
		const unknown = rawClient(sandbox, { tls: true });
		const refused = await failure(unknown.call('chain.v1.ChainService/GetBlock', block('1')));
		expect(refused.code).toBe(status.UNAVAILABLE);
		unknown.close();
	});

	test('calls are recorded with metadata and status', async () => {
		await failure(client.call('chain.v1.TroubleService/Fail', { code: 9, message: 'no' }));
		const endless = client.stream('chain.v1.ChainService/StreamBlocks', { interval_ms: 5 });
		endless.on('data', () => endless.cancel());
		expect((await failure(all(endless))).code).toBe(status.CANCELLED);
		await waitUntil(async () => (await seen()).calls[1]?.code);
		const { calls } = await seen();
		expect(calls).toMatchObject([
			{ method: '/chain.v1.TroubleService/Fail', code: 9 },
			{ method: '/chain.v1.ChainService/StreamBlocks', code: status.CANCELLED },
		]);
		expect(calls[0]!.metadata['x-token']).toBe(sandbox.xToken);
	});

	test('every call can be refused', async () => {
		await set({ refuse: status.RESOURCE_EXHAUSTED });
		const refused = await failure(client.call('chain.v1.ChainService/GetBlock', block('1')));
		expect(refused.code).toBe(status.RESOURCE_EXHAUSTED);
	});
});

describe('limits', () => {
	const get = () => client.call('chain.v1.ChainService/GetBlock', block('1'));

	test.each([true, false])(
		'a call too many is refused, with when to come back: %s',
		async (hasRetryAfter) => {
			const settings = { room: 'grpc', callsPerSecond: 1, retryAfter: hasRetryAfter };
			await sandbox.control('PUT', '/limits', settings);
			await get();
			const { code, metadata } = (await failure(get())) as ServiceError;
			expect(code).toBe(status.RESOURCE_EXHAUSTED);
			const [detail] = metadata.get('grpc-status-details-bin');
			expect(String(detail).includes('google.rpc.RetryInfo')).toBe(hasRetryAfter);
			expect(await sandbox.control('GET', '/counts')).toMatchObject({
				grpc: { answered: 1, refused: 1 },
			});
		},
	);

	test('the limit of another server is none', async () => {
		await sandbox.control('PUT', '/limits', { room: 'node', callsPerSecond: 1 });
		await Promise.all([get(), get(), get()]);
	});
});

describe('connections', () => {
	test('they are counted, dropped and silenced', async () => {
		await client.call('chain.v1.ChainService/GetBlock', block('1'));
		// The clients of earlier tests are closed, but the service may notice this a moment later.
		await waitUntil(async () => (await seen()).openConnections === 1);
		await sandbox.reset();
		const other = rawClient(sandbox);
		const get = () => other.call('chain.v1.ChainService/GetBlock', block('1'));
		await get();
		// A busy service may only now accept and close a connection of an earlier test.
		await waitUntil(async () => (await seen()).openConnections === 2);
		const { connections } = await seen();
		expect(connections).toBeGreaterThan(0);
		await get();
		expect(await seen()).toMatchObject({ connections, openConnections: 2 });
		const waiting = failure(other.call('chain.v1.TroubleService/Slow', { delay_ms: 60_000 }));
		await waitUntil(async () =>
			(await seen()).calls.find(({ method }) => method.endsWith('/Slow')),
		);
		await sandbox.control('POST', '/grpc/drop');
		expect((await waiting).code).toBe(status.UNAVAILABLE);
		expect((await seen()).openConnections).toBe(0);
		await set({ silent: true });
		const late = sleep(300, 'silence');
		expect(await Promise.race([get().catch(() => 'refused'), late])).toBe('silence');
		other.close();
	});
});

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
	test('a stream repeats what it got', async () => {
		const message = { string_value: 'é', children_by_name: { a: { int64_value: '-1' } } };
		const stream = client.stream('chain.v1.EchoService/EchoStream', { message, times: 2 });
		expect(await all(stream)).toEqual([message, message]);
	});

	test('what is no such message is refused', async () => {
		const cut = client.call('chain.v1.EchoService/Echo', Buffer.from('0900000000', 'hex'));
		expect((await failure(cut)).code).toBe(status.INVALID_ARGUMENT);
	});
});

test('an answer comes late, and a token is echoed in other spellings', async () => {
	const call = (name: string, request: Fields = {}) =>
		client.call(`chain.v1.TroubleService/${name}`, request);
	expect(await call('Slow', { delay_ms: 20 })).toEqual({ delay_ms: 20 });
	const reported = await failure(call('EchoToken'));
	expect(reported.details).toContain(Buffer.from(sandbox.xToken!).toString('base64'));
});

describe('reflection', () => {
	test.each(['v1', 'v1alpha'])('%s lists every service', async (version) => {
		const { list_services_response: list } = await client.reflect(version, { list_services: '' });
		const names = (list as { service: { name: string }[] }).service.map(({ name }) => name);
		const served = ['ChainService', 'EchoService', 'TroubleService', 'ArchiveService'];
		expect(names).toEqual(expect.arrayContaining(served.map((name) => `chain.v1.${name}`)));
	});

	test('a symbol comes with all that its file imports', async () => {
		const file = loadSync('google/protobuf/descriptor.proto')[
			'google.protobuf.FileDescriptorProto'
		];
		const { deserialize } = file as MessageTypeDefinition<object, Fields>;
		const answer = await client.reflect('v1', { file_containing_symbol: 'chain.v1.EchoService' });
		const { file_descriptor_proto: bytes } = answer.file_descriptor_response as {
			file_descriptor_proto: Buffer[];
		};
		const files = bytes.map((one) => deserialize(one) as { name: string; dependency: string[] });
		const names = files.map(({ name }) => name);
		expect(names).toEqual(expect.arrayContaining(['common.proto', 'everything.proto']));
		const imported = files.flatMap(({ dependency = [] }) => dependency);
		expect(imported).toContain('google/protobuf/timestamp.proto');
		expect(names).toEqual(expect.arrayContaining(imported));
	});

	test('the descriptor set says what the sources say', () => {
		const bytes = readFileSync(join(folder, 'chain.protoset'));
		const described = loadFileDescriptorSetFromBuffer(bytes, { keepCase: true });
		const own = Object.entries(definitions).filter(([name]) => !name.startsWith('google.'));
		expect(own).not.toEqual([]);
		for (const [name, symbol] of own) {
			expect([name, outline(described[name])]).toEqual([name, outline(symbol)]);
		}
	});

	test('a version can be left out, and a listed service need not be served', async () => {
		await sandbox.control('PUT', '/grpc', { reflection: ['v1alpha'] });
		const left = await failure(client.reflect('v1', { list_services: '' }));
		expect(left.code).toBe(status.UNIMPLEMENTED);
		expect(await client.reflect('v1alpha', { list_services: '' })).toBeDefined();
		const unserved = await failure(
			client.call('chain.v1.ArchiveService/GetBlock', { number: '1' }),
		);
		expect(unserved.code).toBe(status.UNIMPLEMENTED);
	});
});

type Field = Record<'name' | 'number' | 'label' | 'type', unknown>;

/** Reduces a symbol of a .proto file to the facts in which the sources and the descriptor set must agree. */
function outline(symbol: object | undefined): unknown {
	const { field, value } = (symbol as { type?: { field?: Field[]; value?: Field[] } }).type ?? {};
	if (field) return field.map(({ name, number, label, type }) => [name, number, label, type]);
	if (value) return value.map(({ name, number }) => [name, number]);
	return Object.values(symbol as Record<string, Method>).map((method) => [
		method.path,
		method.requestStream,
		method.responseStream,
	]);
}
