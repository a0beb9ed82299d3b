import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { createEngine } from '../../../test/harness/engineServices.mts';
import { TESTED_NAME, buildWorkflow } from '../../../test/harness/workflow.mts';
import { buildRequestColumns } from '../../nodes/core/requestColumns';
import { Grpc } from '../../nodes/Grpc/Grpc.node';
import { credentialTypes, createGrpcSandbox, waitUntil } from '../support/grpcSandbox.mts';

const sandbox = createGrpcSandbox();
const { listSearch, credentialTest, resourceMapping } = new Grpc().methods;

type Form = Readonly<Record<string, unknown>> & { credential?: ICredentialDataDecryptedObject };

/** Builds the context that n8n gives to a method of the editor. */
function contextOf({ credential = {}, ...form }: Form) {
	const parameters = form as INodeParameters;
	const chainNodeXTokenApi = { ...sandbox.credential, ...credential };
	const tested = {
		node: new Grpc(),
		parameters,
		credentials: { chainNodeXTokenApi },
		credentialTypes,
	};
	const workflow = buildWorkflow(tested);
	const { additionalData } = createEngine(tested);
	return new LoadOptionsContext(
		workflow,
		workflow.getNode(TESTED_NAME)!,
		{ ...additionalData, currentNodeParameters: parameters },
		'',
	);
}

/** Returns the entries that the editor shows in a list. */
async function listed(list: keyof typeof listSearch, filter?: string, form: Form = {}) {
	const { results } = await listSearch[list].call(contextOf(form), filter);
	return results.map(({ name, value }) => (name === value ? name : [name, value]));
}

const of = (service: string) => ({ service: { __rl: true, mode: 'list', value: service } });

test('services are offered, those first that fit what was typed', async () => {
	expect(await listed('services')).toHaveLength(4);
	expect(await listed('services', 'CHAINS')).toEqual(['chain.v1.ChainService']);
	expect(await listed('services', 'nothing')).toEqual([]);
	await waitUntil(async () => (await sandbox.seen()).openConnections === 0);
});

test('the methods of the chosen service are offered', async () => {
	expect(await listed('methods', '', of('chain.v1.ChainService'))).toEqual([
		'GetBlock',
		'StreamBlocks',
		'CountBlocks',
		'Watch',
	]);
	expect(await listed('methods', 'stream', of('chain.v1.ChainService'))).toEqual(['StreamBlocks']);
});

test('an error is shown in the list', async () => {
	await expect(
		listed('services', '', { credential: { xToken: 'wrong-token-0123' } }),
	).rejects.toThrow('invalid x-token');
	await expect(listed('services', '', { credential: { endpoint: '127.0.0.1:9' } })).rejects.toThrow(
		'The endpoint refused the connection',
	);
	await expect(listed('methods', '', of(''))).rejects.toThrow(
		"'Service' must be the full name of a service, such as chain.v1.ChainService; it is empty",
	);
	await expect(listed('methods', '', of('chain.v1.Nope'))).rejects.toThrow(
		'The endpoint offers no service chain.v1.Nope',
	);
});

describe('the fields of a request', () => {
	const drawn = async (form: Form) =>
		await resourceMapping.requestFields.call(contextOf({ schemaFrom: 'reflection', ...form }));
	const chosen = (service: string, method: string): Form => ({
		...of(`chain.v1.${service}`),
		method: { __rl: true, mode: 'name', value: method },
	});
	const everything = chosen('EchoService', 'Echo');

	test('are a column each, with its type and what excludes it', async () => {
		const { fields } = await drawn(chosen('ChainService', 'GetBlock'));
		expect(fields).toEqual([
			{
				id: 'number',
				displayName: 'number (uint64) or hash',
				type: 'string',
				required: false,
				removed: false,
				defaultMatch: false,
				canBeUsedToMatch: false,
				display: true,
			},
			expect.objectContaining({
				id: 'hash',
				displayName: 'hash (base64) or number',
				type: 'string',
			}),
		]);
		await waitUntil(async () => (await sandbox.seen()).openConnections === 0);
	});

	test.each([
		['doubleValue', 'number', 'double'],
		['int32Value', 'number', 'int32'],
		['fixed32Value', 'number', 'fixed32'],
		['int64Value', 'string', 'int64'],
		['sfixed64Value', 'string', 'sfixed64'],
		['boolValue', 'boolean', 'bool'],
		['stringValue', 'string', 'string'],
		['kind', 'options', 'Kind'],
		['point', 'object', 'Point'],
		['child', 'object', 'Everything'],
		['optionalBool', 'boolean', 'bool'],
		['uint64List', 'array', 'list of uint64'],
		['bytesList', 'array', 'list of base64'],
		['pointList', 'array', 'list of Point'],
		['timestamps', 'array', 'list of Timestamp'],
		['pointsByNumber', 'object', 'map<int64, Point>'],
		['timestamp', 'dateTime', 'Timestamp'],
		['duration', 'string', 'such as 1.5s'],
		['wrappedInt64', 'string', 'int64'],
		['struct', 'object', 'any JSON object'],
		['fieldMask', 'string', 'such as name,owner.id'],
		['empty', 'object', 'Empty'],
	])('%s is drawn as %s, named %s', async (name, type, label) => {
		const { fields } = await drawn(everything);
		const found = fields.find(({ id }) => id === name);
		expect(found).toMatchObject({ type, displayName: `${name} (${label})` });
	});

	test('a field of a choice names others of it', async () => {
		const { fields } = await drawn(everything);
		expect(fields.find(({ id }) => id === 'choiceText')?.displayName).toBe(
			'choiceText (string) or choiceNumber, choicePoint, …',
		);
	});

	test('enums offer their names', async () => {
		const { fields } = await drawn(everything);
		const names = ['KIND_UNSPECIFIED', 'KIND_ONE', 'KIND_SEVEN'];
		expect(fields.find(({ id }) => id === 'kind')?.options).toEqual(
			names.map((name) => ({ name, value: name })),
		);
	});

	test('bytes say how they are written', async () => {
		const of58 = { ...everything, options: { bytesAs: 'base58' } };
		const { fields } = await drawn(of58);
		expect(fields.find(({ id }) => id === 'bytesValue')?.displayName).toBe('bytesValue (base58)');
	});

	test('are drawn up to the twentieth', async () => {
		const { fields } = await drawn(everything);
		const shown = fields.filter(({ removed }) => !removed).map(({ id }) => id);
		expect(shown).toHaveLength(20);
		expect(shown.slice(14)).toEqual([
			'bytesValue',
			'kind',
			'optionalInt32',
			'optionalUint64',
			'optionalDouble',
			'optionalString',
		]);
	});

	test('are only offered where what is drawn would be given', async () => {
		const content = 'syntax = "proto3"; import "google/protobuf/wrappers.proto"; package a;';
		const messages = `message M { bool a = 1; optional bool b = 2; google.protobuf.BoolValue c = 3;
			oneof by { bool d = 4; string e = 5; } repeated bool f = 6; M g = 7; map<string, M> h = 8; }`;
		const file = [{ content: `${content} ${messages} service S { rpc Do (M) returns (M); }` }];
		const schema = { schemaFrom: 'proto', protoFiles: { file } };
		const { fields } = await drawn({ ...schema, ...of('a.S'), method: 'Do' });
		const found = fields.map(({ id, removed, defaultValue }) => [id, removed, defaultValue]);
		expect(found).toEqual([
			['a', false, undefined],
			['b', true, undefined],
			['c', true, undefined],
			['d', true, undefined],
			['e', false, undefined],
			['f', false, '[]'],
			['g', true, '{}'],
			['h', false, '{}'],
		]);
	});

	test('that hold the request itself are JSON, without a package too', async () => {
		const content = `syntax = "proto3"; message M { M child = 1; }
			service S { rpc Do (M) returns (M); }`;
		const schema = { schemaFrom: 'proto', protoFiles: { file: [{ content }] } };
		const { fields } = await drawn({ ...schema, ...of('S'), method: 'Do' });
		expect(fields).toMatchObject([{ id: 'child', type: 'object', displayName: 'child (M)' }]);
	});

	test('whose values n8n would lose are none', async () => {
		const content = `syntax = "proto3"; package a; message M { int32 constructor = 1; int32 prototype = 2; int32 binding = 3; }
			service S { rpc Do (M) returns (M); }`;
		const schema = { schemaFrom: 'proto', protoFiles: { file: [{ content }] } };
		const { fields } = await drawn({ ...schema, ...of('a.S'), method: 'Do' });
		expect(fields.map(({ id }) => id)).toEqual(['binding']);
	});

	const drawnOf = async (messages: string) => {
		const content = `syntax = "proto3"; package a; ${messages} service S { rpc Do (M) returns (M); }`;
		const schema = { schemaFrom: 'proto', protoFiles: { file: [{ content }] } };
		return await drawn({ ...schema, ...of('a.S'), method: 'Do' });
	};
	const listOf = (count: number, one: (index: number) => string) =>
		Array.from({ length: count }, (_, index) => one(index)).join(' ');

	test.each(['={{ $json.a }}', '=', 'a\\"]', 'a[0]', "a'", 'a\\n', 'x'.repeat(201)])(
		'whose name n8n would not take for a name are none: %j',
		async (name) => {
			const { fields } = await drawnOf(`message M { oneof by { string a = 1 [json_name = "${name}"];
				string b = 2 [json_name = "<b>"]; } }`);
			expect(fields).toMatchObject([{ id: '<b>', displayName: '<b> (string)' }]);
		},
	);

	test('do not offer what n8n would evaluate', () => {
		const fields = [{ name: 'f', type: 'E' }];
		const types = { E: { values: ['A', '={{ $json.a }}', 'constructor'] } };
		const [column] = buildRequestColumns({ fields, types, bytesAs: 'base64' });
		expect(column?.options?.map(({ value }) => value)).toEqual(['A', 'constructor']);
	});

	test('of which there are too many are none, with the reason', async () => {
		const fieldsOf = (count: number) =>
			`message M { ${listOf(count, (index) => `int32 f${index} = ${index + 1};`)} }`;
		expect((await drawnOf(fieldsOf(500))).fields).toHaveLength(500);
		expect(await drawnOf(fieldsOf(501))).toEqual({
			fields: [],
			emptyFieldsNotice:
				'The request of Do has 501 fields, too many to draw. Choose JSON under Request By.',
		});
	});

	test('with too many choices in all are typed', async () => {
		const choices = listOf(1001, (index) => `V${index} = ${index};`);
		const fieldsOf = (count: number) =>
			`enum E { ${choices} } message M { ${listOf(count, (index) => `E f${index} = ${index + 1};`)} }`;
		const few = await drawnOf(fieldsOf(4));
		expect(few.fields.map(({ type, options }) => [type, options?.length])).toEqual(
			Array.from({ length: 4 }, () => ['options', 1001]),
		);
		const many = await drawnOf(fieldsOf(5));
		expect(many.fields.map(({ type, options }) => [type, options])).toEqual(
			Array.from({ length: 5 }, () => ['string', undefined]),
		);
	});

	test('have a label of an endless type at once', async () => {
		const type = 'x'.repeat(300_000);
		const { fields } = await drawnOf(`message ${type} {} message M { ${type} a = 1; }`);
		expect(fields[0]?.displayName).toBe(`a (${'x'.repeat(200)}…)`);
	});

	test('that proto2 requires are required, and always drawn', async () => {
		const fields = Array.from(
			{ length: 200 },
			(_, index) => `optional int32 f${index} = ${index + 1};`,
		);
		const content = `syntax = "proto2"; package a; message M { ${fields.join(' ')} required bool last = 201; }
			service S { rpc Do (M) returns (M); }`;
		const schema = { schemaFrom: 'proto', protoFiles: { file: [{ content }] } };
		const found = await drawn({ ...schema, ...of('a.S'), method: 'Do' });
		expect(found.fields.filter(({ removed }) => !removed)).toHaveLength(21);
		expect(found.fields.at(-1)).toMatchObject({ id: 'last', required: true, removed: false });
	});

	test('name some methods where the chosen one is none of very many', async () => {
		const methods = listOf(30, (index) => `rpc Do${index} (M) returns (M);`);
		const content = `syntax = "proto3"; message M {} service S { ${methods} }`;
		const schema = { schemaFrom: 'proto', protoFiles: { file: [{ content }] } };
		const { emptyFieldsNotice } = await drawn({ ...schema, ...of('S'), method: 'Nope' });
		expect(emptyFieldsNotice).toMatch(/ Its methods are: Do0, Do1, .*, Do19, …\.$/);
	});

	const getBlock = chosen('ChainService', 'GetBlock');
	const refused = 'The endpoint refused the connection';
	test.each<[string, Form, RegExp]>([
		['no service is chosen', {}, /^Choose a service and a method, and the fields/],
		['no method is chosen', of('chain.v1.ChainService'), /^Choose a service and a method/],
		[
			'the request is empty',
			chosen('TroubleService', 'EchoToken'),
			/^The request of EchoToken has no fields\.$/,
		],
		[
			'the method is unknown',
			chosen('ChainService', 'Nope'),
			/^The service has no method Nope\. Its methods are: GetBlock, /,
		],
		[
			'the service is unknown',
			chosen('Nope', 'Nope'),
			/^The endpoint offers no service chain\.v1\.Nope/,
		],
		[
			'the name is none',
			chosen('ChainService', 'Get Block'),
			/^'Method' must be the name of a method/,
		],
		[
			'the token is wrong',
			{ ...getBlock, credential: { xToken: 'wrong-token-0123' } },
			/^invalid x-token\. /,
		],
		[
			'nobody listens',
			{ ...getBlock, credential: { endpoint: '127.0.0.1:9' } },
			new RegExp(`^${refused}\\. .*Check the Endpoint`),
		],
		[
			'the file cannot be read',
			{ ...getBlock, schemaFrom: 'proto', protoFiles: { file: [{ content: '<b>' }] } },
			/^'Proto Files' .*illegal token '&lt;'$/,
		],
	])('are none where %s, with the reason', async (_, form, words) => {
		const { fields, emptyFieldsNotice } = await drawn(form);
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toMatch(words);
		expect(emptyFieldsNotice).not.toMatch(/wrong-token|127\.0\.0\.1/);
	});

	test('are none where there is no reflection, or the request is no object of fields', async () => {
		await sandbox.set({ reflection: [] });
		expect(await drawn(getBlock)).toMatchObject({
			emptyFieldsNotice: expect.stringMatching(
				/^The service does not list its methods, because it offers no reflection.*\.proto files/,
			),
		});
		const content = `syntax = "proto3"; package a; import "google/protobuf/struct.proto";
			service S { rpc Do (google.protobuf.Value) returns (google.protobuf.Value); }`;
		const schema = { schemaFrom: 'proto', protoFiles: { file: [{ content }] } };
		expect(await drawn({ ...schema, ...of('a.S'), method: 'Do' })).toEqual({
			fields: [],
			emptyFieldsNotice: 'The request of Do is any JSON. Choose JSON under Request By.',
		});
	});

	test('that are drawn already stay where they cannot be read again', async () => {
		const { fields: schema } = await drawn(getBlock);
		const requestFields = { mappingMode: 'defineBelow', value: { number: '5' }, schema };
		const down = { credential: { endpoint: '127.0.0.1:9' }, requestFields };
		// n8n keeps the columns unchanged if the method throws.
		await expect(drawn({ ...getBlock, ...down })).rejects.toThrow(refused);
	});
});

async function tested(data: ICredentialDataDecryptedObject) {
	const context = new CredentialTestContext({} as never);
	return await credentialTest.xToken.call(context, {
		id: '1',
		name: '',
		type: '',
		data: { ...sandbox.credential, ...data },
	});
}

const connected = (to: string) => ({ status: 'OK', message: `Connected: a gRPC endpoint ${to}` });

test('the right credential passes, also where there is no reflection', async () => {
	expect(await tested({})).toEqual(connected('with 6 services'));
	await sandbox.set({ reflection: [] });
	expect(await tested({})).toEqual(connected('that does not describe itself'));
	await waitUntil(async () => (await sandbox.seen()).openConnections === 0);
});

test.each<[string, ICredentialDataDecryptedObject, RegExp]>([
	[
		'a wrong token',
		{ xToken: 'wrong-token-0123' },
		/^The service refused the x-token: invalid x-token$/,
	],
	['a dead endpoint', { endpoint: '127.0.0.1:9' }, /^The endpoint refused the connection$/],
	[
		'a URL',
		{ endpoint: 'https://node.example.com' },
		/^'Endpoint' of the credential must be host:port.*example\.com:443\. It has no https:/,
	],
	['an empty token', { xToken: ' ' }, /^The X-Token of the credential is empty$/],
])('%s fails with a sentence that helps', async (_, data, message) => {
	expect(await tested(data)).toEqual({ status: 'Error', message: expect.stringMatching(message) });
});
