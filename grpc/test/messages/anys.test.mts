import { create, toBinary } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { FILE, HIDDEN, usual, type Question } from '../support/described.mts';
import { inTime } from '../support/inTime.mts';
import { callOf, createLyingServer, status } from '../support/lyingServer.mts';

let answer: (question: Question) => object | undefined | Promise<object | undefined>;
let reply: Uint8Array;
let asked: string[] = [];

const server = createLyingServer({
	answer: (question) => {
		asked.push(question.fileContainingSymbol ?? '');
		return answer(question);
	},
	methods: { '/t.S/Do': (request) => (reply.length > 0 ? reply : request) },
});
beforeEach(() => {
	answer = usual(FILE, HIDDEN);
	reply = Buffer.alloc(0);
	asked = [];
	server.calls.length = 0;
});

const any = (typeUrl: string, value: Uint8Array) =>
	toBinary(AnySchema, create(AnySchema, { typeUrl, value }));
const delimited = (tag: number, inner: Uint8Array) => Buffer.from([tag, inner.length, ...inner]);
/** Encodes a message that has the name `kept` and contains the given Any. */
const holding = (content: Uint8Array) =>
	Buffer.concat([delimited(0x12, Buffer.from('kept')), delimited(0x22, content)]);

describe('words that look like the protobuf library’s own about an unknown type', () => {
	const words = 't.Hidden is not in the type registry';
	test.each<[string, object, RegExp]>([
		[
			'the name of a field',
			{ [words]: 1 },
			/t\.Hidden is not in the type registry is not a field of/,
		],
		['a value', { s: [words] }, /s must be string; got/],
		['the value of an Any', { s: 1, any: words }, /s must be string/],
		['a value of an Any', { any: { '@type': 'x/t.Hidden', secret: words } }, /secret/],
		['the type of an Any', { any: { '@type': words } }, /is not in the type registry/],
		['a part of the type', { any: { '@type': `${words}/x` } }, /@type names x, a type that is not/],
		['no type at all', { any: { '@type': 't.Hidden/' } }, /@type must be the name of a type/],
	])('are refused as %s', async (_, request, message) => {
		answer = usual({ ...FILE, dependency: [...FILE.dependency, 'hidden.proto'] }, HIDDEN);
		const found = await server.run(callOf('Do', request));
		expect(found.message).toMatch(/^'Request' does not fit t\.M: /);
		expect(found.message).toMatch(message);
		expect(server.calls).toEqual([]);
	});

	test('do no harm in an answer', async () => {
		const url = 'x/t.Hidden" is not in the type registry';
		reply = holding(any(url, Buffer.from([8, 5])));
		const { json } = await server.run(callOf('Do'));
		expect(json).toMatchObject([{ s: 'kept', any: { '@type': url, value: 'CAU=' } }]);
	});
});

test('types are found inside each other', async () => {
	const typed = (name: string, fields: object) => ({
		'@type': `type.googleapis.com/${name}`,
		...fields,
	});
	const request = {
		anys: [
			typed('t.Hidden', { secret: '1', inner: typed('t.Hidden', { secret: '2' }) }),
			typed('t.M', { s: 'a', any: typed('google.protobuf.Duration', { value: '1s' }) }),
		],
	};
	const { json } = await server.run(callOf('Do', request));
	expect(json).toMatchObject([request]);
	expect(asked.filter((name) => name === 't.Hidden')).toHaveLength(1);
});

test.each<[string, () => object | undefined | Promise<object | undefined>]>([
	['is not there', () => ({ errorResponse: { errorCode: 5, errorMessage: 'no' } })],
	['is not there, reported as a status', () => status(5, 'no')],
	['is refused', () => status(7, 'no')],
	['fails', () => ({ errorResponse: { errorCode: 13, errorMessage: 'no' } })],
	['is nothing', () => undefined],
	['is garbage', () => ({ fileDescriptorResponse: { fileDescriptorProto: [Buffer.of(255)] } })],
	['does not come', async () => await new Promise(() => {})],
])('an answer is kept when the description of its Any %s', async (how, answerHidden) => {
	answer = (question) =>
		question.fileContainingSymbol === 't.Nope' ? answerHidden() : usual(FILE, HIDDEN)(question);
	const unknown = any('x/t.Nope', Buffer.of(0xff, 1, 2));
	const around = any('x/t.Hidden', Buffer.concat([Buffer.of(8, 5), delimited(0x12, unknown)]));
	reply = Buffer.concat([delimited(0x2a, around), delimited(0x2a, unknown)]);
	const call = async (timeout?: number) => await server.run(callOf('Do', {}, { timeout }));
	const { json, message } =
		how === 'does not come' ? await inTime(call, (result) => !result.message) : await call();
	expect(message).toBeUndefined();
	const bytes = { '@type': 'x/t.Nope', value: '/wEC' };
	const hidden = { '@type': 'x/t.Hidden', secret: '5', inner: bytes };
	expect(json).toEqual([{ n: '0', s: '', b: '', anys: [hidden, bytes] }]);
});

test('an Any without a type, and one whose bytes are none of its type', async () => {
	reply = holding(any('', Buffer.of(1)));
	expect((await server.run(callOf('Do'))).json).toMatchObject([{ any: {} }]);
	reply = holding(any('x/t.Hidden', Buffer.of(0xff)));
	const { json } = await server.run(callOf('Do'));
	expect(json).toMatchObject([{ s: 'kept', any: { '@type': 'x/t.Hidden', value: '/w==' } }]);
});

test('Anys inside each other without end', async () => {
	let nested = any('x/t.Nope', Buffer.of(0xff));
	for (let depth = 0; depth < 300; depth++)
		nested = Buffer.from(any('x/google.protobuf.Any', nested));
	reply = long(0x22, nested);
	const { message, description } = await server.run(callOf('Do'));
	expect(message).toBe('The answer does not fit t.M, the type that is described');
	expect(description).toMatch(/messages are nested more than 100 deep/);
});

/** Encodes a field whose length takes two bytes. */
function long(tag: number, inner: Uint8Array): Buffer {
	return Buffer.from([tag, (inner.length & 127) | 128, inner.length >> 7, ...inner]);
}
