import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import { ChainNodeXTokenApi } from '../../credentials/ChainNodeXTokenApi.credentials';
import { connectEndpoint } from '../../nodes/core/endpoint';
import { everything } from '../support/everything.mts';
import { callOf, createGrpcSandbox } from '../support/grpcSandbox.mts';

const folder = join(__dirname, '../../../sandbox/apis/grpc/protos');
const file = (name: string) => ({ name, content: readFileSync(join(folder, name), 'utf8') });
const set = readFileSync(join(folder, 'chain.protoset')).toString('base64');

const given: Readonly<Record<string, INodeParameters>> = {
	'Proto Files': {
		schemaFrom: 'proto',
		protoFiles: { file: ['chain.proto', 'common.proto', 'everything.proto'].map(file) },
	},
	'Descriptor Set': { schemaFrom: 'descriptorSet', descriptorSet: set },
	'Descriptor Set in lines': {
		schemaFrom: 'descriptorSet',
		descriptorSet: set.replace(/.{76}/g, '$&\n'),
	},
};

const sandbox = createGrpcSandbox();

const jsonOf = ({ items }: { items: ReadonlyArray<{ json: object }> }) =>
	items.map(({ json }) => json);

describe.each(Object.entries(given))('with %s, without reflection', (_, schema) => {
	beforeEach(async () => await sandbox.set({ reflection: [] }));

	test('the services are listed', async () => {
		expect(jsonOf(await sandbox.run({ operation: 'listServices', ...schema }))).toEqual(
			['Archive', 'Chain', 'Echo', 'Trouble'].map((name) => ({
				service: `chain.v1.${name}Service`,
			})),
		);
		expect((await sandbox.seen()).calls).toEqual([]);
	});

	test.each(['ChainService', 'EchoService', 'TroubleService'])(
		'%s is described as it describes itself',
		async (name) => {
			const asked = { operation: 'describe', service: `chain.v1.${name}` };
			const ours = jsonOf(await sandbox.run({ ...asked, ...schema }));
			await sandbox.reset();
			expect(ours).toEqual(jsonOf(await sandbox.run(asked)));
		},
	);

	test('messages travel unharmed', async () => {
		const messages = fc.sample(everything, { seed: 11, numRuns: 5 });
		const items = messages.map((message) => ({ json: { text: JSON.stringify(message) } }));
		const echo = { ...callOf('EchoService', 'Echo'), request: '={{ $json.text }}', ...schema };
		expect(jsonOf(await sandbox.run(echo, { items }))).toEqual(messages);
		const { calls } = await sandbox.seen();
		expect(new Set(calls.map(({ method }) => method))).toEqual(
			new Set(['/chain.v1.EchoService/Echo']),
		);
	});

	test('a service that it does not have is refused', async () => {
		const { error } = await sandbox.run({
			operation: 'describe',
			service: 'chain.v1.Nope',
			...schema,
		});
		expect(error?.message).toBe('The schema offers no service chain.v1.Nope');
	});
});

test('a large schema is not written as text for each item', async () => {
	const { name, content } = file('chain.proto');
	const comment = `/* ${'x'.repeat(100_000)} */`;
	const files = [
		{ name, content: content + comment },
		file('common.proto'),
		file('everything.proto'),
	];
	const endpoint = await connectEndpoint(sandbox.credential, new ChainNodeXTokenApi().properties);
	const stringify = jest.spyOn(JSON, 'stringify');
	for (let item = 0; item < 50; item++) {
		await endpoint.describe({ from: 'proto', files: [...files] }, 'chain.v1.ChainService', 1000);
	}
	const written = stringify.mock.results.map(({ value }) => String(value));
	stringify.mockRestore();
	endpoint.close();
	expect(written.length).toBeGreaterThanOrEqual(50);
	expect(written.filter((text) => text.includes(comment))).toEqual([]);
});

/** Returns the error for .proto files with the given contents. */
async function refusal(...contents: ReadonlyArray<string | [string, string]>) {
	const files = contents.map((one) =>
		typeof one === 'string' ? { name: 'a.proto', content: one } : { name: one[0], content: one[1] },
	);
	const { error, items } = await sandbox.run({
		operation: 'listServices',
		schemaFrom: 'proto',
		protoFiles: { file: files },
	});
	return error?.message ?? jsonOf({ items });
}

const PROTO3 = 'syntax = "proto3";\n';

test.each<[string, string, RegExp]>([
	[
		'a token too much',
		`${PROTO3}message A {\n  string a == 1;\n}`,
		/a\.proto, line 3: illegal id '='$/,
	],
	['no end', `${PROTO3}message A {\n  string a = 1;`, /a\.proto, line 3: /],
	['an unclosed comment', `${PROTO3}\n/* and so on`, /a\.proto, line \d: illegal comment/],
	['another language', '{"a": 1}', /a\.proto, line 1: illegal token '\{'$/],
	[
		'a name twice',
		`${PROTO3}message A {}\n\nmessage B {}\nmessage A {}\n`,
		/line 5: duplicate name 'A'/,
	],
	[
		'a number twice',
		`${PROTO3}message A {\n  string a = 1;\n  string b = 1;\n}`,
		/line 4: duplicate id 1/,
	],
	[
		'an unknown type',
		`${PROTO3}// Nope\nmessage A {\n  a.Nope b = 1;\n}`,
		/line 4: a\.Nope is not known; it may be in a file that is not imported$/,
	],
	[
		'an import that is needed',
		`${PROTO3}import "b.proto";\nmessage A { B b = 1; }`,
		/line 3: B is not known; b\.proto is imported, but not among the files$/,
	],
	[
		'a method of nothing',
		`${PROTO3}message A {}\nservice S {\n  rpc Do (A) returns (B);\n}`,
		/line 4: B is not known/,
	],
])('a file with %s is refused, with its line', async (_, content, words) => {
	const found = await refusal(content);
	expect(found).toMatch(/^'Proto Files' cannot be used: /);
	expect(found).toMatch(words);
});

test.each<[string, INodeParameters, string | RegExp]>([
	[
		'a file that imports itself',
		{ schemaFrom: 'proto', protoFiles: { file: [{ name: 'a', content: 'import "a";' }] } },
		"'Proto Files' cannot be used: a imports itself",
	],
	[
		'no file',
		{ schemaFrom: 'proto', protoFiles: {} },
		"'Proto Files' cannot be used: it holds no file",
	],
	[
		'an empty file',
		{ schemaFrom: 'proto', protoFiles: { file: [{ name: 'a', content: ' ' }] } },
		"'Proto Files > File 1 > Content' is required",
	],
	[
		'two files of one name',
		{
			schemaFrom: 'proto',
			protoFiles: { file: [1, 2].map(() => ({ name: 'a', content: PROTO3 })) },
		},
		"'Proto Files' cannot be used: two of them have the same name",
	],
	[
		'no set',
		{ schemaFrom: 'descriptorSet', descriptorSet: '' },
		/^'Descriptor Set' must be a descriptor set \(a file that protoc writes\) in base64; it is empty/,
	],
	[
		'no base64',
		{ schemaFrom: 'descriptorSet', descriptorSet: '{}' },
		/^'Descriptor Set' must be a descriptor set \(a file that protoc writes\) in base64; got/,
	],
	[
		'something else',
		{ schemaFrom: 'descriptorSet', descriptorSet: 'aGVsbG8gd29ybGQ=' },
		/^'Descriptor Set' cannot be used: it is not a descriptor set in base64/,
	],
	['another choice', { schemaFrom: 'openapi' }, /^'Schema From' must be one of/],
])('%s is refused', async (_, schema, words) => {
	const { error } = await sandbox.run({ operation: 'listServices', ...schema });
	expect(error?.message).toMatch(words);
});

test('what is imported only for its options need not be there', async () => {
	const content = `${PROTO3}package a;
import "google/api/annotations.proto";
import public "google/protobuf/empty.proto";
service S {
  rpc Do (google.protobuf.Empty) returns (google.protobuf.Empty) {
    option (google.api.http) = { get: "/v1/*" };
  }
}`;
	expect(await refusal(content)).toEqual([{ service: 'a.S' }]);
});

test('files without names do, and those of Google are known', async () => {
	const { items } = await sandbox.run({
		operation: 'listServices',
		schemaFrom: 'proto',
		protoFiles: {
			file: [
				{ content: `${PROTO3}package a; service S {}` },
				{ content: `${PROTO3}package b; service S {}` },
				{ name: 'google/protobuf/any.proto', content: 'nonsense' },
			],
		},
	});
	expect(jsonOf({ items })).toEqual([{ service: 'a.S' }, { service: 'b.S' }]);
});
