import { create, fromBinary, toJson, type JsonObject } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { parseProto, TypeScope } from '../../library/schema/protoFile.mts';
import { buildFileDescriptor } from '../../library/schema/fileDescriptor.mts';
import { everything } from '../support/everything.mts';
import { descriptorSetOf, findMissingTools, startForeignServer } from './build.mts';
import { callOf, runAt } from '../support/lyingServer.mts';
import { FORMS } from './forms.mts';

const COUNT = 200;

beforeAll(() => {
	expect(findMissingTools()).toEqual([]);
});

describe('a server in C++', againstCpp);
describe('protoc', againstProtoc);

function againstCpp() {
	let server: Awaited<ReturnType<typeof startForeignServer>>;
	beforeAll(async () => {
		server = await startForeignServer();
	}, 600_000);
	afterAll(async () => await server.stop());

	const service = 'foreign.v1.ForeignService';
	const run = async (
		method: string,
		parameters: INodeParameters = {},
		items: readonly object[] = [{}],
	) =>
		await runAt(
			server.endpoint,
			{ ...callOf(method), service, ...parameters },
			{ items: items.map((json) => ({ json: json as never })) },
		);

	test('describes itself, in its own older way', async () => {
		const { json } = await runAt(server.endpoint, { operation: 'describe', service });
		expect(json.map(({ method, kind }) => [method, kind])).toEqual([
			['ToJson', 'unary'],
			['FromJson', 'unary'],
			['Echo', 'unary'],
			['EchoEach', 'bidirectional'],
			['Sum', 'clientStreaming'],
			['Break', 'serverStreaming'],
		]);
	});

	test(`${COUNT} messages differ in nothing from its own JSON`, async () => {
		const messages = fc.sample(everything, { seed: 20_261_121, numRuns: COUNT });
		const asText = { request: '={{ $json.text }}' };
		const texts = messages.map((message) => ({ text: JSON.stringify(message) }));
		const theirs = await run('ToJson', asText, texts);
		expect(theirs.message).toBeUndefined();
		const ours = await run('Echo', asText, texts);
		const parsed = theirs.json.map(({ result }) => JSON.parse(String(result)) as unknown);
		expect(parsed.map(plain)).toEqual(ours.json.map(plain));
		expect(ours.json.map(plain)).toEqual(messages.map(plain));
		const back = await run(
			'FromJson',
			asText,
			ours.json.map((json) => ({ text: JSON.stringify(JSON.stringify(json)) })),
		);
		expect(back.json.map(plain)).toEqual(ours.json.map(plain));
	});

	test('streams of requests are taken, and answers that came before a failure are kept', async () => {
		const numbers = Array.from({ length: 500 }, (_, index) => String(index));
		const many = {
			requestsBy: 'many',
			requests: JSON.stringify(numbers),
			options: { maxMessages: 1000 },
		};
		expect((await run('EchoEach', many)).json.map(({ result }) => result)).toEqual(numbers);
		expect((await run('Sum', many)).json).toEqual([{ result: '124750' }]);
		const { json } = await run('Break', { request: '"70"' });
		expect(json.slice(0, -1).map(({ result }) => Number(result))).toEqual(
			Array.from({ length: 70 }, (_, index) => index + 1),
		);
		expect(json.at(-1)).toMatchObject({ error: 'broke on purpose' });
	});

	test('3,000 calls while it ages its connections at 300 ms: none fails', async () => {
		const ageing = await startForeignServer(300);
		const items = Array.from({ length: 3000 }, (_, index) => ({ json: { n: String(index) } }));
		const parameters = { ...callOf('Echo'), service, request: '={{ { uint64Value: $json.n } }}' };
		const { json, message } = await runAt(ageing.endpoint, parameters, { items });
		expect(message).toBeUndefined();
		expect(json.map(({ uint64Value }) => uint64Value)).toEqual(items.map((one) => one.json.n));
		await ageing.stop();
	});
}

/** Rounds floats, because C++ prints them with more digits than needed. */
function plain(value: unknown): unknown {
	return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
		key === 'floatValue' && typeof inner === 'number' ? Math.fround(inner) : inner,
	);
}

function againstProtoc() {
	const folder = mkdtempSync(join(tmpdir(), 'chain-infra-protoc-'));
	afterAll(() => rmSync(folder, { recursive: true }));
	const protos = join(__dirname, '../../../sandbox/apis/grpc/protos');
	const texts = [
		...['chain.proto', 'common.proto', 'everything.proto', 'raw.proto'].map((name) => ({
			name,
			content: readFileSync(join(protos, name), 'utf8'),
		})),
		...FORMS,
	];

	test.each(texts.map(({ name }) => name))('describes %s as we do', (name) => {
		for (const { name: file, content } of texts) writeFileSync(join(folder, file), content);
		const files = new Map(texts.map((text) => [text.name, parseProto(text)]));
		const ours = buildFileDescriptor(files.get(name)!, new TypeScope(files.get(name)!, files));
		const [theirs] = fromBinary(FileDescriptorSetSchema, descriptorSetOf(folder, [name])).file;
		expect(bare(ours)).toEqual(bare(theirs!));
	});
}

/** Properties that are left out of the comparison, because they do not affect messages or follow from other properties. */
const NOISE = ['defaultValue', 'jsonName', 'publicDependency', 'reservedRange', 'reservedName'];

function bare(file: Parameters<typeof toJson<typeof FileDescriptorProtoSchema>>[1]): unknown {
	const json = toJson(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, file));
	return JSON.parse(JSON.stringify(json), (key, value: unknown) => {
		const isNoise = NOISE.includes(key);
		const isProto2 = key === 'syntax' && value === 'proto2';
		const isEmpty = typeof value === 'object' && Object.keys(value as JsonObject).length === 0;
		return isNoise || isProto2 || isEmpty || value === false ? undefined : value;
	});
}
