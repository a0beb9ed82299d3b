import { parseExactJson } from '../../library/json/exactJson.mts';
import { takeRows } from '../../../test/harness/caseCount.mts';
import { SERVICE, createProtoEcho } from '../support/protoEcho.mts';

const echo = createProtoEcho();

const SCHEMA = `syntax = "proto3"; package a.b; ${SERVICE}
	message M {
		M one = 1; repeated M many = 2; map<string, M> named = 3;
		google.protobuf.Struct struct = 4; google.protobuf.Value value = 5; google.protobuf.ListValue list = 6;
		google.protobuf.Any any = 7; double number = 8;
	}`;

const nested = (open: string, close: string, times: number, inside = '{}') =>
	`${open.repeat(times)}${inside}${close.repeat(times)}`;

/** The kinds of nesting. For each: a function that makes JSON with a number of levels, and the highest number that is accepted. */
const SHAPES: ReadonlyArray<readonly [string, (times: number) => string, number]> = [
	['messages', (times) => nested('{"one":', '}', times), 99],
	['messages in lists', (times) => nested('{"many":[', ']}', times), 99],
	['messages in maps', (times) => nested('{"named":{"a":', '}}', times), 99],
	['objects of a Struct', (times) => `{"struct":${nested('{"a":', '}', times, '1')}}`, 98],
	['lists of a Value', (times) => `{"value":${nested('[', ']', times, '1')}}`, 98],
	['objects of a Value', (times) => `{"value":${nested('{"a":', '}', times, '1')}}`, 98],
	['lists of a ListValue', (times) => `{"list":${nested('[', ']', times, '1')}}`, 98],
	[
		'Anys',
		(times) => `{"any":${nested('{"@type":"x/google.protobuf.Any","value":', '}', times)}}`,
		98,
	],
];

describe.each(takeRows(SHAPES, 3))('%s', (_, shape, most) => {
	test('go in and come out as deep as other libraries read them', async () => {
		const request = shape(most);
		const answer = await echo.echoed(SCHEMA, request);
		expect(answer).toMatchObject(JSON.parse(request) as object);
	});

	test.each([1, 101, 102, 103, 5000])('are refused when they are %i too deep', async (more) => {
		const before = echo.requests.length;
		for (const inside of ['', '"number":1.00000000000000000001,']) {
			const request = shape(most + more).replace('{', `{${inside}`);
			expect(await echo.echoed(SCHEMA, request)).toMatch(
				/^'Request' does not fit a\.b\.M: \w+(\W.*)?… is nested deeper than 100 messages$/,
			);
		}
		expect(echo.requests).toHaveLength(before);
	});
});

test('the value of an expression is refused as well', async () => {
	const deep = (times: number) =>
		`={{ Array.from({ length: ${times} }).reduce((inner) => ({ one: inner }), {}) }}`;
	expect(await echo.echoed(SCHEMA, deep(3))).toMatchObject({ one: { one: { one: {} } } });
	expect(await echo.echoed(SCHEMA, deep(1000))).toMatch(
		/a\.b\.M: one\.one\..*… is nested deeper than 100 messages$/,
	);
});

test('a value that holds itself is refused', () => {
	const itself: unknown[] = [];
	itself.push({ itself });
	expect(() => parseExactJson(itself)).toThrow(
		/^\[0\]\.itself\[0\]\.itself.*… is nested deeper than 100 messages$/,
	);
});

/** Encodes a message that contains itself the given number of times. */
function bytesOf(tag: number, times: number): Buffer {
	let bytes = Buffer.alloc(0);
	for (let count = 0; count < times; count++) {
		const length: number[] = [];
		let rest = bytes.length;
		for (; rest > 127; rest >>= 7) length.push((rest & 127) | 128);
		bytes = Buffer.concat([Buffer.from([tag, ...length, rest]), bytes]);
	}
	return bytes;
}

test.each([100, 150, 250, 5000])('an answer %i deep is refused in words', async (times) => {
	for (const tag of [0x0a, 0x12]) {
		echo.answers.push(bytesOf(tag, times));
		const { message, description } = await echo.run(SCHEMA, {
			operation: 'call',
			method: 'Do',
			request: '{}',
		});
		expect(message).toBe('The answer does not fit a.b.M, the type that is described');
		expect(description).toMatch(/^messages are nested more than 100 deep/);
	}
});
