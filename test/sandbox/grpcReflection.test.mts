import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import {
	loadFileDescriptorSetFromBuffer,
	loadSync,
	type MessageTypeDefinition,
} from '@grpc/proto-loader';
import { type Sandbox, startSandbox } from '../harness/sandbox.mts';
import {
	definitions,
	failure,
	type Fields,
	folder,
	type Method,
	rawClient,
} from './support/grpcClient.mts';

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

test.each(['v1', 'v1alpha'])('%s lists every service', async (version) => {
	const { list_services_response: list } = await client.reflect(version, { list_services: '' });
	const names = (list as { service: { name: string }[] }).service.map(({ name }) => name);
	const served = ['ChainService', 'EchoService', 'TroubleService', 'ArchiveService'];
	expect(names).toEqual(expect.arrayContaining(served.map((name) => `chain.v1.${name}`)));
});

test('a symbol comes with all that its file imports', async () => {
	const file = loadSync('google/protobuf/descriptor.proto')['google.protobuf.FileDescriptorProto'];
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
	const unserved = await failure(client.call('chain.v1.ArchiveService/GetBlock', { number: '1' }));
	expect(unserved.code).toBe(status.UNIMPLEMENTED);
});

type Field = Record<'name' | 'number' | 'label' | 'type', unknown>;

/** Reduces a description of a symbol to what all descriptions must agree on. */
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
