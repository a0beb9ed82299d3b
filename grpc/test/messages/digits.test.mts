import fc from 'fast-check';
import { callOf, createGrpcSandbox } from '../support/grpcSandbox.mts';
import { getSeed } from '../../../test/harness/caseCount.mts';

const sandbox = createGrpcSandbox();

async function echo(request: string): Promise<{ sent?: object; refused?: string }> {
	const { items, error } = await sandbox.run({ ...callOf('EchoService', 'Echo'), request });
	return { sent: items[0]?.json, refused: error?.message };
}

const expectSent = async (request: string, fields: object) =>
	expect(await echo(request)).toEqual({ sent: expect.objectContaining(fields) });
const expectRefused = async (request: string, words: string) =>
	expect((await echo(request)).refused).toBe(
		`'Request' does not fit chain.v1.Everything: ${words}`,
	);

const LONG = '(as text if above 2^53)';

test.each([
	['1234567890123456789.0', '1234567890123456789'],
	['1.2345678901234567e18', '1234567890123456700'],
	['12345678901234567e2', '1234567890123456700'],
	['9007199254740993.0', '9007199254740993'],
	['9007199254740993', '9007199254740993'],
	['18446744073709551615', '18446744073709551615'],
	['18446744073709551615000e-3', '18446744073709551615'],
	['123456789012345e4', '1234567890123450000'],
	['1e18', '1000000000000000000'],
	['1E+2', '100'],
	['5.0', '5'],
	['-0.0', '0'],
])('the number %s of a text is the whole number that it says', async (written, digits) => {
	await expectSent(`{"uint64Value": ${written}}`, { uint64Value: digits });
	await expectSent(`{"uint64List": [7, ${written}]}`, { uint64List: ['7', digits] });
});

test('whatever way a long integer is written, its digits arrive', async () => {
	const written = fc
		.tuple(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.integer({ min: 0, max: 25 }))
		.map(([value, places]) => {
			const [sign, digits] = value < 0n ? ['-', `${-value}`] : ['', `${value}`];
			const padded = digits.padStart(places + 1, '0');
			const whole = padded.slice(0, padded.length - places);
			const part = padded.slice(padded.length - places);
			const text = places ? `${sign}${whole}.${part}000e${places}` : `${sign}${whole}.0`;
			return { value: `${value}`, text };
		});
	const property = fc.asyncProperty(fc.array(written, { maxLength: 30 }), async (numbers) => {
		const request = `{"unpackedList": [${numbers.map(({ text }) => text).join()}]}`;
		await expectSent(request, { unpackedList: numbers.map(({ value }) => value) });
	});
	await fc.assert(property, { seed: getSeed(20_251_120), numRuns: 20 });
});

test.each([
	['{"uint64Value": 4503599627370497.5}', `uint64Value must be uint64 ${LONG}`],
	['{"int32Value": 1.00000000000000000001}', 'int32Value must be int32'],
	['{"int32Value": 1e-400}', 'int32Value must be int32'],
	['{"int32Value": 12345678901234567890}', 'int32Value must be int32'],
	['{"int64Value": 9223372036854775808.0}', `int64Value must be int64 ${LONG}`],
	['{"wrappedInt64": 4503599627370497.5}', `wrappedInt64 must be int64 ${LONG} or null`],
	['{"point": {"x": 4503599627370497.5}}', `point.x must be sint64 ${LONG}`],
	['{"numbersByName": {"a": 4503599627370497.5}}', `numbersByName.a must be int64 ${LONG}`],
	['{"doubleValue": 1e400}', 'doubleValue must be double'],
	['{"doublesByFlag": {"true": -1e400}}', 'doublesByFlag.true must be double'],
	['{"boolValue": 12345678901234567890}', 'boolValue must be bool'],
	['{"stringValue": 12345678901234567890}', 'stringValue must be string'],
	['{"stringList": ["a", 12345678901234567890]}', 'stringList[1] must be string'],
	['{"wrappedString": 12345678901234567890}', 'wrappedString must be string or null'],
	['{"textsByNumber": {"1": 12345678901234567890}}', 'textsByNumber.1 must be string'],
	['{"timestamp": 12345678901234567890}', 'timestamp must be text such as "2025-01-31T12:00:00Z"'],
	['{"point": 12345678901234567890}', 'point must be a JSON object'],
	[
		'{"kind": 1.00000000000000000001}',
		'kind must be one of KIND_UNSPECIFIED, KIND_ONE, KIND_SEVEN',
	],
])('%s is refused, with the number as it is written', async (request, words) => {
	const number = /-?\d[\d.e-]{4,}/.exec(request)?.[0];
	await expectRefused(request, `${words}; got ${number}`);
});

test('for doubles, any number of a text will do', async () => {
	await expectSent(
		'{"doubleValue": 12345678901234567890, "doubleList": [0.1, 1e-400, 3.14159265358979323846]}',
		{
			doubleValue: 12345678901234567000,
			doubleList: [0.1, 0, Math.PI],
		},
	);
	await expectSent('{"floatValue": 9007199254740993}', { floatValue: 9.007199e15 });
});

describe('minus zero', () => {
	const FIELDS = ['doubleValue', 'floatValue', 'optionalDouble'] as const;

	test.each([
		'{"doubleValue": -0, "floatValue": -0.0, "optionalDouble": -0e5, "struct": {"a": -0}}',
		'{"doubleValue": "-0", "floatValue": "-0.0", "optionalDouble": -0e0, "struct": {"a": -0.0}}',
		'={{ { doubleValue: -0, floatValue: -0, optionalDouble: "-0", struct: { a: -0 } } }}',
	])('stays what it is: %s', async (request) => {
		const sent = (await echo(request)).sent as Record<string, unknown>;
		const { a } = sent.struct as { a: unknown };
		expect([...FIELDS.map((field) => sent[field]), a]).toEqual([-0, -0, -0, -0]);
	});

	test('stays so in lists and maps, and zero stays zero', async () => {
		const request =
			'{"doubleList": [-0, 0], "doublesByFlag": {"true": -0, "false": 0}, "floatValue": 0}';
		await expectSent(request, {
			doubleList: [-0, 0],
			doublesByFlag: { true: -0, false: 0 },
			floatValue: 0,
		});
	});

	test('of an integer is zero', async () => {
		await expectSent('{"int32Value": -0, "int64Value": "-0"}', { int32Value: 0, int64Value: '0' });
	});
});

describe('a number of an expression', () => {
	test('without a finite value has its name in JSON', async () => {
		await expectSent(
			'={{ { doubleValue: NaN, floatValue: Infinity, doubleList: [-Infinity, 1e16] } }}',
			{
				doubleValue: 'NaN',
				floatValue: 'Infinity',
				doubleList: ['-Infinity', 1e16],
			},
		);
	});

	test.each([
		['int32Value', 'NaN', 'int32'],
		['uint64Value', 'Infinity', `uint64 ${LONG}`],
		['boolValue', 'NaN', 'bool'],
		['stringValue', 'NaN', 'string'],
		['timestamp', 'NaN', 'text such as "2025-01-31T12:00:00Z"'],
	])('is refused for %s: %s', async (field, number, type) => {
		await expectRefused(
			`={{ { ${field}: ${number} } }}`,
			`${field} must be ${type}; got ${number}`,
		);
	});

	test('is big, and has all its digits', async () => {
		await expectSent('={{ { uint64Value: BigInt("9007199254740993"), int32Value: BigInt(5) } }}', {
			uint64Value: '9007199254740993',
			int32Value: 5,
		});
	});

	test('is shown beside absent values', async () => {
		await expectSent('={{ { optionalInt32: undefined, int32Value: 1, stringValue: null } }}', {
			int32Value: 1,
			stringValue: '',
		});
		expect((await echo('={{ { optionalInt32: undefined } }}')).sent).not.toHaveProperty(
			'optionalInt32',
		);
	});
});

describe('in a Struct', () => {
	test.each([
		'{"a": 9007199254740992}',
		'{"a": 1e16, "b": [0.1, {"c": 18446744073709551616}]}',
		'{"a": 18446744073709552000, "b": 1e+23, "c": 1e23, "d": 5e-324}',
	])('numbers that are doubles stay numbers: %s', async (struct) => {
		await expectSent(`{"struct": ${struct}}`, { struct: JSON.parse(struct) as object });
		await expectSent(`={{ { struct: ${struct} } }}`, { struct: JSON.parse(struct) as object });
	});

	test('a fraction may have more digits than a double', async () => {
		const struct = '{"a": 0.10000000000000001, "b": [37.774929500000001]}';
		await expectSent(`{"struct": ${struct}}`, { struct: JSON.parse(struct) as object });
	});

	test.each([
		['{"a": 12345678901234567890}', 'a', '12345678901234567890'],
		['{"a": {"b": [1, 9007199254740993]}}', 'a.b[1]', '9007199254740993'],
		['{"a": 4503599627370497.5}', 'a', '4503599627370497.5'],
		['{"a": 1e400}', 'a', '1e400'],
	])('others are refused: %s', async (struct, place, number) => {
		await expectRefused(
			`{"struct": ${struct}}`,
			`struct.${place} must be a number that fits a double, or text; got ${number}`,
		);
	});

	test('there is no NaN', async () => {
		await expectRefused(
			'={{ { struct: { a: NaN } } }}',
			'struct.a must be a number that fits a double, or text; got NaN',
		);
	});
});

test('JSON that lies too deep in itself is refused', async () => {
	const nested = (open: string, close: string, times: number) =>
		`${open.repeat(times)}1.00000000000000000001${close.repeat(times)}`;
	for (const times of [90, 150, 20_000]) {
		const { refused } = await echo(nested('{"child":', '}', times));
		expect(refused).toMatch(/^'Request' (does not fit|must be JSON)/);
		expect((await echo(`{"struct":{"a":${nested('[', ']', times)}}}`)).refused).toMatch(
			/^'Request' /,
		);
	}
});
