import { byFields } from '../support/byFields.mts';
import { SERVICE, createProtoEcho } from '../support/protoEcho.mts';

const echo = createProtoEcho();

const SCHEMA = `syntax = "proto3"; package a.b; ${SERVICE}
	message M {
		map<int64, string> longs = 1; map<uint32, string> shorts = 2; map<bool, string> flags = 3;
		map<string, M> names = 4; repeated M list = 5; string text = 6;
		google.protobuf.Struct struct = 7; google.protobuf.Value value = 8; google.protobuf.Any any = 9;
	}`;

const EMPTY = { longs: {}, shorts: {}, flags: {}, names: {}, list: [], text: '' };
const echoed = async (request: object | string) => await echo.echoed(SCHEMA, request);

async function expectRefused(request: object | string, words: string) {
	const before = echo.requests.length;
	expect(await echoed(request)).toBe(`'Request' does not fit a.b.M: ${words}`);
	expect(echo.requests).toHaveLength(before);
}

describe('keys of maps', () => {
	test.each([
		['longs', '01', '1'],
		['longs', '-0', '0'],
		['longs', '00', '0'],
		['longs', '1e2', '100'],
		['longs', '1.0', '1'],
		['shorts', '007', '7'],
	])('of integers are written in one way only: %s %s', async (map, key, written) => {
		await expectRefused(
			{ [map]: { [key]: 'a' } },
			`${map}.${key} is a key that is written ${written}`,
		);
		const both = { [map]: { [written]: 'a', [key]: 'b' } };
		await expectRefused(both, `${map}.${key} is a key that is written ${written}`);
	});

	test.each([
		['longs', '+1', 'int64'],
		['longs', ' 1', 'int64'],
		['longs', '', 'int64'],
		['longs', '0x1', 'int64'],
		['longs', '9223372036854775808', 'int64'],
		['shorts', '-1', 'uint32'],
		['shorts', '4294967296', 'uint32'],
		['shorts', '1.5', 'uint32'],
		['flags', '1', 'bool'],
		['flags', 'True', 'bool'],
		['flags', 'constructor', 'bool'],
		['flags', '__proto__', 'bool'],
	])('of %s are no %j', async (map, key, type) => {
		const given = `{${JSON.stringify(key)}:"a"}`;
		await expectRefused(
			`{"${map}": ${given}}`,
			`${map} must be an object that is a map<${type}, string>; got ${given}`,
		);
	});

	test('at the ends of their types are taken', async () => {
		const request = {
			longs: { '-9223372036854775808': 'a', '9223372036854775807': 'b', '0': 'c' },
			shorts: { '4294967295': 'a', '0': 'b' },
			flags: { true: 'a', false: 'b' },
		};
		expect(await echoed(request)).toEqual({ ...EMPTY, ...request });
	});
});

test('a key that is the JSON name of one field and the name of another means the first', async () => {
	const content = `syntax = "proto3"; package a.b; ${SERVICE}
		message M { string b = 1 [json_name = "c"]; string a = 2 [json_name = "b"]; }`;
	const second = '120178';
	expect(await echo.echoed(content, { b: 'x' })).toEqual({ c: '', b: 'x' });
	expect(echo.requests.at(-1)).toBe(second);
	await echo.run(content, { operation: 'call', method: 'Do', ...byFields({ b: 'x' }) });
	expect(echo.requests.at(-1)).toBe(second);
	expect(await echo.echoed(content, { a: 'x', c: 'y' })).toEqual({ c: 'y', b: 'x' });
	expect(await echo.echoed(content, { a: 'x', b: 'y' })).toMatch(/: b is given twice$/);
});

const HALF = '\\ud83d';
const WHOLE = 'text without halves of characters';

test.each([
	[`{"text": "a${HALF}"}`, `text must be string; got "a${HALF}"`],
	[
		`{"names": {"${HALF}": {}}}`,
		`names must be an object that is a map<string, a.b.M>; got {"${HALF}":{}}`,
	],
	[`{"struct": {"a": "${HALF} "}}`, `struct.a must be ${WHOLE}; got "${HALF} "`],
	[`{"struct": {"a": {"${HALF}": 1}}}`, `struct.a must be ${WHOLE}; got {"${HALF}":1}`],
	[`{"value": ["${HALF}"]}`, `value[0] must be ${WHOLE}; got "${HALF}"`],
])('half a character is refused, which would be sent as another: %s', async (request, words) => {
	await expectRefused(request, words);
	const answer = await echoed(request.replace(HALF, '😀'));
	expect(JSON.stringify(answer)).toContain('😀');
});

describe('a key that JSON text gives twice is refused', () => {
	test.each([
		['{"text": "a", "text": "b"}', 'text'],
		['{"text": "a", "te\\u0078t": "a"}', 'text'],
		['{"list": [{}, {"text": "a", "list": [], "text" : "b"}]}', 'list[1].text'],
		[
			'{"list": [{"text": "[,"}, {"list": [[], {}, {"text": "", "text": ""}]}]}',
			'list[1].list[2].text',
		],
		['{"longs": {"1": "a", "2": "b", "1": "c"}}', 'longs.1'],
		['{"names": {"a": {"text": ""}, "b": {"text": ""}, "a": {}}}', 'names.a'],
		['{"struct": {"a": {"b": 1, "b": 2}}}', 'struct.a.b'],
		['{"value": [1, [2, {"": 1, "": 1}]]}', 'value[1][1].'],
		['{"struct": {"__proto__": 1, "__proto__": 1}}', 'struct.__proto__'],
		['{"any": {"@type": "x/a.b.M", "@type": "x/a.b.M"}}', 'any.@type'],
		['{"text": "a", "nope": 12345678901234567890, "nope": 1}', 'nope'],
	])('%s', async (request, path) => {
		await expectRefused(request, `${path} is given twice`);
	});

	test('by its place in a list of requests', async () => {
		const parameters = { operation: 'call', method: 'Do', requestsBy: 'many' };
		const requests = '[{"text": "a", "text": "b"}]';
		const { message } = await echo.run(SCHEMA, { ...parameters, requests });
		expect(message).toBe("'Requests' does not fit a.b.M: [0].text is given twice");
	});

	test('and what only looks so is not', async () => {
		const request = {
			text: '{"text": 1, "text": 2}',
			struct: { 'a"b': 'a":', a: ['a', 'a', { a: 'a', 'a\\': 'a\\' }], '{': '"a": 1' },
			list: [EMPTY, EMPTY],
		};
		expect(await echoed(request)).toEqual({ ...EMPTY, ...request });
	});
});

describe('what is named __proto__', () => {
	const CONTENT =
		SCHEMA.replace(/}$/, 'string __proto__ = 10; Other other = 11; }') +
		`message Other { __proto__ value = 1; repeated E list = 2; string named = 3 [json_name = "__proto__"]; }
		message __proto__ { int32 n = 1; } enum E { NONE = 0; __proto__x = 1; }
		message Last { enum Kind { __proto__ = 0; } oneof __proto__ { Kind kind = 1; } }`;
	const own = (value: unknown) => JSON.parse(`{"__proto__": ${JSON.stringify(value)}}`) as object;
	const textOf = async (request: string) => JSON.stringify(await echo.echoed(CONTENT, request));

	test.each([
		'{"names":{"__proto__":{"text":"a"}}}',
		'{"names":{"__proto__":{"names":{"__proto__":{"text":"a"}}}}}',
		'{"struct":{"__proto__":{"__proto__":[{"__proto__":1}],"a":2}}}',
		'{"value":{"__proto__":null}}',
		'{"other":{"__proto__":"a"}}',
		'{"other":{"value":{"n":1},"list":["__proto__x"]}}',
		'{"any":{"@type":"x/google.protobuf.Struct","value":{"__proto__":1.5e3}}}',
		'{"any":{"@type":"x/a.b.Other","__proto__":"a"}}',
	])('is neither lost nor anything else: %s', async (request) => {
		const parsed = JSON.parse(request) as object;
		const answer = await echo.echoed(CONTENT, request);
		expect(keysOf(answer)).toEqual(expect.arrayContaining(keysOf(parsed)));
		expect(answer).toMatchObject(parsed);
		expect(Object.getPrototypeOf({})).toBe(Object.prototype);
		expect(({} as { text?: string; n?: number; a?: number }).text).toBeUndefined();
	});

	test('is a field like others, by its name and by that of JSON', async () => {
		expect(await textOf('{"__proto__":"a"}')).toContain('"Proto":"a"');
		expect(await textOf('{"Proto":"a"}')).toContain('"Proto":"a"');
		expect(echo.requests.at(-1)).toBe('520161');
		await expectRefused('{"__proto__":1}', '__proto__ is not a field of a.b.M');
		expect(await echo.echoed(CONTENT, own(5))).toMatch(/: __proto__ must be string; got 5$/);
	});

	test('is described by its name', async () => {
		const { json } = await echo.run(CONTENT, { operation: 'describe' });
		expect(JSON.stringify(json)).toContain('{"name":"value","type":"a.b.__proto__"}');
		expect(JSON.stringify(json)).toContain('{"name":"Proto","type":"string"}');
		const broken = CONTENT.replace('message __proto__', 'message Other');
		expect((await echo.run(broken, { operation: 'describe' })).message).not.toContain('stand_in');
	});

	test('is found in the value of an expression', async () => {
		const request = '={{ { struct: JSON.parse(\'{"__proto__": {"a": 1} }\') } }}';
		expect(await textOf(request)).toContain('"struct":{"__proto__":{"a":1}}');
	});
});

/** Lists the paths of all keys in a value. */
function keysOf(value: unknown): string[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, item]) => [
		key,
		...keysOf(item).map((one) => `${key}.${one}`),
	]);
}
