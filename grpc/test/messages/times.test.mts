import fc from 'fast-check';
import { create, toBinary } from '@bufbuild/protobuf';
import { DurationSchema, TimestampSchema } from '@bufbuild/protobuf/wkt';
import { SERVICE, createProtoEcho } from '../support/protoEcho.mts';
import { getCaseCount } from '../../../test/harness/caseCount.mts';
import { getSeed } from '../../../test/harness/caseCount.mts';

const echo = createProtoEcho();

const SCHEMA = `syntax = "proto3"; package a.b; ${SERVICE}
	message M {
		google.protobuf.Timestamp at = 1;
		google.protobuf.Duration took = 2;
		repeated google.protobuf.Timestamp list = 3;
		google.protobuf.Any any = 4;
		google.protobuf.FieldMask mask = 5;
		M inner = 6;
	}`;

const echoed = async (request: object) => await echo.echoed(SCHEMA, request);

test.each([
	'2023-02-29T12:00:00Z',
	'2023-02-30T12:00:00Z',
	'2023-04-31T00:00:00.5+02:00',
	'1900-02-29T00:00:00Z',
	'2023-13-01T00:00:00Z',
	'2023-00-01T00:00:00Z',
	'2023-01-00T00:00:00Z',
	'2023-01-31T24:00:00Z',
	'2023-01-31T24:00:00.000Z',
	'2023-01-31T23:60:00Z',
	'2016-12-31T23:59:60Z',
	'2023-01-31T12:00:00+24:00',
	'2023-01-31T12:00:00-05:60',
])('%s is refused: it is no time', async (text) => {
	const words = (path: string) =>
		`'Request' does not fit a.b.M: ${path} must be a day and a time that exist; got "${text}"`;
	expect(await echoed({ at: text })).toBe(words('at'));
	expect(await echoed({ inner: { list: ['2024-02-29T00:00:00Z', text] } })).toBe(
		words('inner.list[1]'),
	);
	const any = { '@type': 'x/google.protobuf.Timestamp', value: text };
	expect(await echoed({ any })).toBe(words('any.value'));
});

test.each([
	['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
	['2000-02-29T23:59:59.999999999Z', '2000-02-29T23:59:59.999999999Z'],
	['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
	['9999-12-31T23:59:59.999999999Z', '9999-12-31T23:59:59.999999999Z'],
	['2024-03-01T00:30:00+01:00', '2024-02-29T23:30:00Z'],
	['2024-02-29T23:30:00.120-01:00', '2024-03-01T00:30:00.120Z'],
])('%s is %s', async (text, at) => {
	expect(await echoed({ at: text })).toEqual({ at, list: [] });
});

test.each(['1s.', '1sec', '1.5s5', '1.1234567890s', '+1s', '1', '1.s', '.5s', '315576000001s'])(
	'%s is no duration',
	async (took) => {
		expect(await echoed({ took })).toBe(
			`'Request' does not fit a.b.M: took must be text such as "1.5s"; got "${took}"`,
		);
	},
);

const seconds = fc.oneof(
	fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n),
	fc.bigInt(-400_000_000_000n, 400_000_000_000n),
	fc.constantFrom(0n, 1n, -1n, -62_135_596_800n, 253_402_300_799n, 315_576_000_000n),
);
const nanos = fc.oneof(
	fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
	fc.integer({ min: -999_999_999, max: 999_999_999 }),
	fc.constantFrom(0, -1, 1, 999_999_999, 1_000_000_000),
);

test('whatever times and durations an answer holds, they can be sent back', async () => {
	const moment = fc.record({ seconds, nanos });
	const property = fc.asyncProperty(moment, moment, async (at, took) => {
		const parts = [
			[0x0a, toBinary(TimestampSchema, create(TimestampSchema, at))],
			[0x12, toBinary(DurationSchema, create(DurationSchema, took))],
		] as const;
		const answer = Buffer.concat(
			parts.map(([tag, part]) => Buffer.from([tag, part.length, ...part])),
		);
		echo.answers.push(answer);
		const found = await echoed({});
		expect(await echoed(found as object)).toEqual(found);
		expect(echo.requests.at(-1)).toBe(answer.toString('hex'));
	});
	await fc.assert(property, { seed: getSeed(20_261_123), numRuns: getCaseCount(100) });
});

test('in an Any, and as a mask without a text, they can be sent back as well', async () => {
	const request = {
		list: [{ seconds: '1152921504606846976', nanos: 0 }],
		any: { '@type': 'x/google.protobuf.Duration', value: { seconds: '1', nanos: -5 } },
		mask: { paths: ['a__b', 'c'] },
	};
	expect(await echoed(request)).toEqual(request);
});

test('as an object, they are checked as other messages are', async () => {
	expect(await echoed({ at: { seconds: 1, minutes: 2 } })).toMatch(
		/at\.minutes is not a field of google\.protobuf\.Timestamp$/,
	);
	expect(await echoed({ took: { nanos: 1.5 } })).toMatch(/took\.nanos must be int32; got 1\.5$/);
	expect(await echoed({ at: { seconds: 5 } })).toEqual({ at: '1970-01-01T00:00:05Z', list: [] });
});
