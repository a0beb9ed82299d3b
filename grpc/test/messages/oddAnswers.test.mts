import { BinaryWriter } from '@bufbuild/protobuf/wire';
import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import {
	bytesOf,
	field,
	filesAnswer,
	usual,
	type Question,
	type File,
} from '../support/described.mts';
import { callOf, createLyingServer } from '../support/lyingServer.mts';

let answer: (question: Question) => object | undefined;
let reply: Uint8Array | undefined;
let asked: Question[] = [];

const server = createLyingServer({
	answer: (question) => {
		asked.push(question);
		return answer(question);
	},
	methods: Object.fromEntries(
		['Do', 'Json', 'Texts', 'Any'].map((name) => [`/t.S/${name}`, (request) => reply ?? request]),
	),
});
beforeEach(() => {
	answer = usual(FILE);
	reply = undefined;
	asked = [];
});

const method = (name: string, type: string) => ({ name, inputType: type, outputType: type });
const repeated = { label: Label.REPEATED };
const choice = (name: string, number: number) => ({
	...field(name, number, Type.ENUM),
	typeName: '.t.Choice',
});

const FILE: File = {
	name: 't.proto',
	package: 't',
	syntax: 'proto3',
	dependency: ['struct', 'timestamp', 'duration', 'field_mask', 'wrappers'].map(
		(name) => `google/protobuf/${name}.proto`,
	),
	service: [
		{
			name: 'S',
			method: [
				method('Do', '.t.M'),
				method('Json', '.google.protobuf.Value'),
				method('Texts', '.google.protobuf.ListValue'),
				method('Any', '.google.protobuf.Int64Value'),
			],
		},
	],
	enumType: [
		{
			name: 'Choice',
			options: { allowAlias: true },
			value: [
				{ name: 'NONE', number: 0 },
				{ name: 'FIRST', number: 1 },
				{ name: 'ALSO_FIRST', number: 1 },
				{ name: 'SECOND', number: 2 },
			],
		},
	],
	messageType: [
		{
			name: 'M',
			field: [
				field('f', 1, Type.FLOAT),
				field('fs', 2, Type.FLOAT, repeated),
				choice('c', 3),
				field('v', 4, '.google.protobuf.Value'),
				field('vs', 5, '.google.protobuf.Value', repeated),
				field('l', 6, '.google.protobuf.ListValue'),
				field('s', 7, '.google.protobuf.Struct'),
				field('at', 8, '.google.protobuf.Timestamp'),
				field('took', 9, '.google.protobuf.Duration'),
				field('mask', 10, '.google.protobuf.FieldMask'),
				field('w', 11, '.google.protobuf.FloatValue'),
			],
		},
	],
};

async function echoed(request: object | string, name = 'Do') {
	const { json, message } = await server.run(callOf(name, request));
	return message ?? json[0];
}

test.each([0.3, 0.1, 1e-45, 3.4028235e38, 16777216, 1 / 3, -2.5, 1e10])(
	'the float %s comes out in its shortest form',
	async (value) => {
		const found = (await echoed({ f: value, fs: [value], w: value })) as Record<string, number>;
		expect(Math.fround(Number(found.f))).toBe(Math.fround(value));
		expect(String(found.f).length).toBeLessThanOrEqual(String(Math.fround(value)).length);
		expect(found).toMatchObject({ fs: [found.f], w: found.f });
	},
);

test('0.3 is 0.3, and what is no number has a name', async () => {
	expect(await echoed({ f: 0.3, fs: ['NaN', '-Infinity', 0.7] })).toMatchObject({
		f: 0.3,
		fs: ['NaN', '-Infinity', 0.7],
	});
});

test('of two names for a number, the first comes out, and either goes in', async () => {
	expect(await echoed({ c: 'ALSO_FIRST' })).toMatchObject({ c: 'FIRST' });
	expect(await echoed({ c: 2 })).toMatchObject({ c: 'SECOND' });
});

describe('a value that is not set', () => {
	const nothing = (tag: number) => [tag, 0];
	test('costs itself alone, wherever it is', async () => {
		const inList = [0x32, 4, 0x0a, 0, 0x0a, 0];
		const inStruct = [0x3a, 7, 0x0a, 5, 0x0a, 1, 0x61, 0x12, 0];
		reply = Buffer.from([
			0x18,
			2,
			...nothing(0x22),
			...nothing(0x2a),
			0x2a,
			2,
			0x20,
			1,
			...inList,
			...inStruct,
		]);
		expect(await echoed({})).toEqual({
			f: 0,
			fs: [],
			c: 'SECOND',
			v: null,
			vs: [null, true],
			l: [null, null],
			s: { a: null },
		});
	});

	test('is the whole answer', async () => {
		reply = Buffer.alloc(0);
		expect(await echoed('1', 'Json')).toEqual({ result: null });
	});
});

test('numbers that JSON does not know have a name in a Value', async () => {
	const writer = new BinaryWriter().tag(2, 1).double(NaN).finish();
	reply = new BinaryWriter().tag(4, 2).bytes(writer).finish();
	expect(await echoed({})).toMatchObject({ v: 'NaN' });
});

test.each<[string, string, unknown]>([
	['Json', '[1, "a", {"b": [null, true]}]', { result: [1, 'a', { b: [null, true] }] }],
	['Json', '{"a": {"b": 1}}', { a: { b: 1 } }],
	['Json', 'null', { result: null }],
	['Json', '"text"', { result: 'text' }],
	['Json', '1.5', { result: 1.5 }],
	['Json', '', { result: null }],
	['Texts', '[]', { result: [] }],
	['Texts', '[[1], {"a": null}]', { result: [[1], { a: null }] }],
	['Texts', '', { result: [] }],
	['Any', '"9007199254740993"', { result: '9007199254740993' }],
	['Any', '9007199254740993', { result: '9007199254740993' }],
	['Any', '', { result: '0' }],
])('a request may be JSON of any kind: %s %s', async (name, request, result) => {
	expect(await echoed(request, name)).toEqual(result);
});

test.each<[string, string, RegExp]>([
	['Texts', '{"a": 1}', /ListValue: it must be any JSON array; got \{"a":1\}$/],
	[
		'Json',
		'[1, 12345678901234567890]',
		/Value: \[1\] must be a number that fits a double, or text/,
	],
	['Any', '"a"', /Int64Value: it must be int64 .* or null; got "a"$/],
	['Do', '{"l": {"a": 1}}', /l must be any JSON array/],
	['Do', '{"s": [1]}', /s must be any JSON object/],
])('%s of %s is refused', async (name, request, words) => {
	expect(await echoed(request, name)).toMatch(words);
});

test('a time beyond the calendar, and what has no text, cost themselves alone', async () => {
	const seconds = (value: bigint) => new BinaryWriter().tag(1, 0).int64(value).finish();
	const mask = new BinaryWriter().tag(1, 2).string('a__b').finish();
	reply = new BinaryWriter()
		.tag(8, 2)
		.bytes(seconds(2n ** 60n))
		.tag(9, 2)
		.bytes(seconds(2n ** 61n))
		.tag(10, 2)
		.bytes(mask)
		.finish();
	expect(await echoed({})).toMatchObject({
		at: { seconds: String(2n ** 60n), nanos: 0 },
		took: { seconds: String(2n ** 61n), nanos: 0 },
		mask: { paths: ['a__b'] },
	});
});

describe('extensions in files of their own', () => {
	const base: File = {
		...FILE,
		syntax: 'proto2',
		dependency: [],
		enumType: [],
		service: [{ name: 'S', method: [method('Do', '.t.M')] }],
		messageType: [{ name: 'M', extensionRange: [{ start: 100, end: 200 }] }],
	};
	const more: File = {
		name: 'more.proto',
		package: 'other',
		syntax: 'proto2',
		dependency: ['t.proto'],
		messageType: [{ name: 'N', field: [field('n', 1, Type.UINT64)] }],
		extension: [
			field('word', 100, Type.STRING, { extendee: '.t.M' }),
			field('list', 101, '.other.N', { extendee: '.t.M', ...repeated }),
		],
	};
	const extensionOf = ({ fileContainingExtension: wanted }: Question) =>
		more.extension?.some(
			({ number }) => wanted?.containingType === 't.M' && number === wanted.extensionNumber,
		);

	beforeEach(() => {
		answer = (question) => {
			const { fileContainingExtension: extension, fileContainingSymbol: symbol } = question;
			if (symbol === 'other.word' || symbol === 'other.list') return filesAnswer(more, base);
			if (!extension) return usual(base)(question);
			return extensionOf(question)
				? filesAnswer(bytesOf(more), base)
				: { errorResponse: { errorCode: 5, errorMessage: 'no' } };
		};
	});

	test('are asked for by their number in answers, once each', async () => {
		reply = Buffer.concat([
			new BinaryWriter().tag(100, 2).string('a').finish(),
			new BinaryWriter().tag(101, 2).bytes(Buffer.of(8, 5)).finish(),
			new BinaryWriter().tag(150, 2).string('unknown').finish(),
			new BinaryWriter().tag(250, 2).string('no extension').finish(),
		]);
		const { json } = await server.run(callOf('Do'), { items: [{ json: {} }, { json: {} }] });
		const one = { '[other.word]': 'a', '[other.list]': [{ n: '5' }] };
		expect(json).toEqual([one, one]);
		const numbers = asked.flatMap(({ fileContainingExtension: one }) => one?.extensionNumber ?? []);
		expect(numbers.sort()).toEqual([100, 101, 150]);
	});

	test('are asked for by their name in requests', async () => {
		const request = { '[other.word]': 'a', '[other.list]': [{ n: '5' }] };
		expect(await echoed(request)).toEqual(request);
		expect(await echoed({ '[other.nope]': 1 })).toMatch(/\[other\.nope\] is not a field of t\.M$/);
		expect(await echoed({ '[other.word]': 1 })).toMatch(/\[other\.word\] must be string; got 1$/);
	});
});
