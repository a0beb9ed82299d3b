import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import { CredentialTestContext } from 'n8n-core';
import { Grpc } from '../../nodes/Grpc/Grpc.node';
import {
	field,
	FILE,
	filesAnswer,
	usual,
	type Question,
	type File,
} from '../support/described.mts';
import { inTime } from '../support/inTime.mts';
import { callOf, createLyingServer, status } from '../support/lyingServer.mts';

let answer: (question: Question) => object | undefined | Promise<object | undefined>;

const server = createLyingServer({
	answer: (question) => answer(question),
	methods: { '/t.S/Do': (request) => request, '/S/Do': (request) => request },
});
beforeEach(() => {
	answer = usual(FILE);
	server.calls.length = 0;
});

const list = { operation: 'listServices' };
const describeIt = { operation: 'describe', service: 't.S' };
const DOUBT = /carried out/;
const UNCLEAR = 'The service describes itself in a way that cannot be understood';

test('an item that is refused stops those that have not been sent', async () => {
	const items = [{ nope: 1 }, { n: 2 }, { n: 3 }].map((json) => ({ json }));
	const { message } = await server.run(callOf('Do', '={{ $json }}'), { items });
	expect(message).toMatch(/nope is not a field of t\.M/);
	expect(server.calls).toEqual([]);
});

const file = (more: object) => filesAnswer({ ...FILE, ...more });
test.each<[string, typeof answer, string]>([
	['UNAVAILABLE', () => status(14, 'sorry'), 'sorry'],
	['INTERNAL', () => ({ errorResponse: { errorCode: 13, errorMessage: 'sorry' } }), 'sorry'],
	['no answer', () => undefined, UNCLEAR],
	['another answer', () => ({ listServicesResponse: {} }), UNCLEAR],
	['garbage', () => filesAnswer(Buffer.of(255, 255, 1)), UNCLEAR],
	['an empty file', () => filesAnswer(Buffer.alloc(0)), 'The endpoint offers no service t.S'],
	['a type that is missing', () => file({ messageType: [] }), UNCLEAR],
	[
		'a file that is missing',
		(question) => (question.fileByFilename ? status(5, 'no') : file({ dependency: ['x.proto'] })),
		'The service describes itself incompletely',
	],
	['silence', async () => await new Promise(() => {}), 'The service did not answer in time'],
])('a description that fails with %s leaves no doubt about the call', async (how, lie, message) => {
	answer = lie;
	const call = async (timeout?: number) => await server.run(callOf('Do', {}, { timeout }));
	const found =
		how === 'silence'
			? await inTime(call, (reported) => reported.message === message)
			: await call();
	expect(found.message).toBe(message);
	expect(found.description).not.toMatch(DOUBT);
	expect(server.calls).toEqual([]);
});

test.each<[string, () => object]>([
	['in an answer', () => ({ errorResponse: { errorCode: 5, errorMessage: 'no' } })],
	['as a status', () => status(5, 'no')],
])('a missing service may be reported %s', async (_, lie) => {
	answer = lie;
	expect((await server.run(describeIt)).message).toBe('The endpoint offers no service t.S');
});

test.each<[string, typeof answer, string]>([
	['no answer', () => undefined, UNCLEAR],
	['another answer', () => filesAnswer(FILE), UNCLEAR],
	['NOT_FOUND', () => ({ errorResponse: { errorCode: 5, errorMessage: 'none' } }), 'none'],
])('%s is no list of services', async (_, lie, message) => {
	answer = lie;
	expect((await server.run(list)).message).toBe(message);
	const data = { endpoint: server.endpoint, xToken: 'token-0123456789', tls: false };
	const context = new CredentialTestContext({} as never);
	const credential = { id: '1', name: '', type: '', data };
	expect(await new Grpc().methods.credentialTest.xToken.call(context, credential)).toEqual({
		status: 'Error',
		message,
	});
});

test('a name that n8n would evaluate is not offered in the editor', async () => {
	const names = ['={{ $json.a }}', 't.S'];
	answer = () => ({ listServicesResponse: { service: names.map((name) => ({ name })) } });
	const context = {
		getCurrentNodeParameter: () => undefined,
		getCredentials: async () =>
			await Promise.resolve({ endpoint: server.endpoint, xToken: 'token-0123456789', tls: false }),
		getCredentialsProperties: () => [],
	};
	const { results } = await new Grpc().methods.listSearch.services.call(context as never);
	expect(results.map(({ value }) => value)).toEqual(['t.S']);
});

test('services without a name are left out', async () => {
	const service = ['', ' ', 'b.C'].map((name) => ({ name }));
	answer = () => ({ listServicesResponse: { service } });
	expect((await server.run(list)).json).toEqual([{ service: 'b.C' }]);
	answer = () => ({ listServicesResponse: {} });
	expect(await server.run(list)).toMatchObject({ json: [], message: undefined });
});

test('an item with little time fails alone', async () => {
	const run = async (little: number) => {
		answer = async (question) => {
			await new Promise((resolve) => setTimeout(resolve, 2 * little));
			return await usual(FILE)(question);
		};
		const { json } = await server.run(
			{ ...callOf('Do'), options: { timeout: '={{ $json.timeout }}' } },
			{
				items: [little, 60_000, 60_000].map((timeout) => ({ json: { timeout } })),
				onError: 'continueRegularOutput',
			},
		);
		return json;
	};
	const late = { error: 'The service did not answer in time' };
	const json = await inTime(run, ([first]) => first?.error === late.error);
	expect(json).toMatchObject([late, { n: '0' }, { n: '0' }]);
});

test('extensions are read and written', async () => {
	const old: File = {
		...FILE,
		syntax: 'proto2',
		messageType: [{ name: 'M', extensionRange: [{ start: 100, end: 200 }] }],
		extension: [
			field('word', 100, Type.STRING, { extendee: '.t.M' }),
			field('numbers', 101, Type.UINT64, { extendee: '.t.M', label: Label.REPEATED }),
		],
	};
	answer = usual(old);
	const request = { '[t.word]': 'a', '[t.numbers]': ['1', '18446744073709551615'] };
	expect((await server.run(callOf('Do', request))).json).toEqual([request]);
	expect((await server.run(callOf('Do', { '[t.nope]': 1 }))).message).toMatch(
		/\[t\.nope\] is not a field of t\.M/,
	);
});

test.each(['constructor', 'toString', '__proto__'])('a message may be named %s', async (name) => {
	const method = { name: 'Do', inputType: `.${name}`, outputType: `.${name}` };
	answer = () =>
		filesAnswer({
			name: 's.proto',
			syntax: 'proto3',
			messageType: [{ name, field: [field('a', 1, Type.STRING)] }],
			service: [{ name: 'S', method: [method] }],
		});
	const described = await server.run({ ...describeIt, service: 'S' });
	const fields = [{ name: 'a', type: 'string' }];
	expect(described.json).toMatchObject([{ request: { type: name, fields } }]);
	const call = { ...callOf('Do', { a: 'b' }), service: 'S' };
	expect((await server.run(call)).json).toEqual([{ a: 'b' }]);
});
