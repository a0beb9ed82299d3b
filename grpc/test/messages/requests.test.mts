import { byFields, type Values } from '../support/byFields.mts';
import { callOf, createGrpcSandbox } from '../support/grpcSandbox.mts';

const sandbox = createGrpcSandbox();
const AUTOMATIC = { mappingMode: 'autoMapInputData' };

/** Sends a request by fields. Returns the message that the echo service receives, without unset fields. */
async function echoed(value: Values | null, more?: Values): Promise<Values> {
	const parameters = { ...callOf('EchoService', 'Echo'), ...byFields(value, more) };
	const { items, error } = await sandbox.run(parameters);
	expect(error).toBeUndefined();
	return items[0]?.json as Values;
}

describe('a request by fields', () => {
	test('leaves out what is not there, is null, is empty, or was removed', async () => {
		const value = {
			optionalInt32: null,
			optionalUint64: '',
			optionalDouble: undefined,
			point: '',
			optionalBool: true,
			optionalBytes: '',
			optionalKind: '',
			int32List: '',
			timestamp: '',
			wrappedInt64: '',
			struct: '',
		};
		const schema = [{ id: 'optionalBool', removed: true }];
		const found = await echoed(value, { schema });
		const unset = await echoed(null);
		expect(found).toEqual(unset);
	});

	test('has false, zero and empty text where they are given', async () => {
		const value = { optionalInt32: 0, optionalBool: false, optionalString: '', wrappedString: '' };
		expect(await echoed(value)).toMatchObject(value);
	});

	test('takes text that is exactly what a field holds', async () => {
		const value = {
			int32Value: '5',
			doubleValue: ' 0.5 ',
			uint64Value: '18446744073709551615',
			boolValue: 'true',
			optionalBool: 'False',
			kind: '7',
			choiceKind: 'KIND_ONE',
			wrappedInt64: 7,
			stringValue: 5,
			optionalString: true,
			bytesValue: '0x00ff',
		};
		expect(await echoed(value)).toMatchObject({
			int32Value: 5,
			doubleValue: 0.5,
			uint64Value: '18446744073709551615',
			boolValue: true,
			optionalBool: false,
			kind: 'KIND_SEVEN',
			choiceKind: 'KIND_ONE',
			wrappedInt64: '7',
			stringValue: '5',
			optionalString: 'true',
			bytesValue: 'AP8=',
		});
	});

	test('keeps the digits of numbers in JSON', async () => {
		const value = { point: '{ "x": 9007199254740993 }', uint64List: '[18446744073709551615]' };
		expect(await echoed(value)).toMatchObject({
			point: { x: '9007199254740993' },
			uint64List: ['18446744073709551615'],
		});
	});

	test.each([
		['2026-07-01T12:00:00', '2026-07-01T10:00:00Z'],
		['2026-07-01 12:00', '2026-07-01T10:00:00Z'],
		['2026-01-31T12:00:00.000000001', '2026-01-31T11:00:00.000000001Z'],
		['2026-01-31', '2026-01-30T23:00:00Z'],
		['2026-01-31T12:00:00.5Z', '2026-01-31T12:00:00.500Z'],
		['2026-01-31T12:00:00+05:00', '2026-01-31T07:00:00Z'],
		['={{ DateTime.fromISO("2026-01-31T12:00:00Z") }}', '2026-01-31T12:00:00Z'],
	])('takes the time %s, without a zone in that of the workflow', async (timestamp, sent) => {
		const parameters = { ...callOf('EchoService', 'Echo'), ...byFields({ timestamp }) };
		const { items, error } = await sandbox.run(parameters, { timezone: 'Europe/Berlin' });
		expect(error).toBeUndefined();
		expect(items[0]?.json.timestamp).toBe(sent);
	});

	test('is made for each item, and only the item that does not fit fails', async () => {
		const requestFields = byFields({ number: '={{ $json.number }}' });
		const { items } = await sandbox.run(
			{ ...callOf('ChainService', 'GetBlock'), ...requestFields },
			{
				items: ['9007199254740993', 'far', 7].map((number) => ({ json: { number } })),
				onError: 'continueRegularOutput',
			},
		);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ number: '9007199254740993' },
			{ error: expect.stringMatching(/^'Request' .*: number must be uint64 .*; got "far"$/) },
			{ number: '7' },
		]);
		const { calls } = await sandbox.seen();
		expect(calls.filter(({ method }) => method.endsWith('GetBlock'))).toHaveLength(2);
	});

	test.each([{ number: '5' }, '{ "number": 5 }'])(
		'may be given bare, as %j',
		async (requestFields) => {
			const call = callOf('ChainService', 'GetBlock');
			const { items } = await sandbox.run({ ...call, requestBy: 'fields', requestFields });
			expect(items[0]?.json.number).toBe('5');
		},
	);

	test('that the editor was to take from the item is refused, and nothing is sent', async () => {
		const call = { ...callOf('ChainService', 'GetBlock'), ...byFields(null, AUTOMATIC) };
		const { error } = await sandbox.run(call, { items: [{ json: { number: '5' } }] });
		expect(error?.message).toMatch(
			/^'Request' must be a value for each field \(.*defineBelow\); got/,
		);
		const { calls } = await sandbox.seen();
		expect(calls.filter(({ method }) => method.endsWith('GetBlock'))).toEqual([]);
	});

	test.each<[string, Values, RegExp]>([
		['text for a number', { int32Value: 'far' }, /: int32Value must be int32; got "far"$/],
		[
			'lost digits',
			{ int64Value: 2 ** 53 },
			/: int64Value must be int64 \(as text if above 2\^53\); /,
		],
		['lost digits as text', { stringValue: 2 ** 53 }, /: stringValue must be string; /],
		['a word for a flag', { boolValue: 'yes' }, /: boolValue must be bool; got "yes"$/],
		['no JSON in a message', { point: '{' }, /: point must be JSON; got "\{"$/],
		['no JSON in a list', { stringList: 'a, b' }, /: stringList must be JSON; got "a, b"$/],
		['an object for a list', { pointList: '{}' }, /: pointList must be a list; got \{\}$/],
		[
			'a wrong field in a message',
			{ point: '{"z": 1}' },
			/: point\.z is not a field of chain\.v1\./,
		],
		[
			'a key given twice in a list',
			{ pointList: '[{"x": 1, "x": 2}]' },
			/: pointList\[0\]\.x is given/,
		],
		['a list for a text', { stringValue: ['a'] }, /: stringValue must be string; got \["a"\]$/],
		['a bad time', { timestamp: 'today' }, /: timestamp must be text such as .*; got "today"$/],
		['an impossible day', { timestamp: '2026-02-30T12:00:00' }, /: timestamp must be /],
		['a bad duration', { duration: '5' }, /: duration must be text such as "1\.5s"; got "5"$/],
		['a field that there is not', { nope: 1 }, /: nope is not a field of chain\.v1\.Everything$/],
	])(
		'with %s is refused by the name of the field, and nothing is sent',
		async (_, value, words) => {
			const parameters = { ...callOf('EchoService', 'Echo'), ...byFields(value) };
			const { error } = await sandbox.run(parameters);
			expect(error?.message).toMatch(/^'Request' does not fit chain\.v1\.Everything: /);
			expect(error?.message).toMatch(words);
			const { calls } = await sandbox.seen();
			expect(calls.filter(({ method }) => method.includes('Echo'))).toEqual([]);
		},
	);
});

test('without requestBy, a request is JSON', async () => {
	const call = callOf('ChainService', 'GetBlock', { number: 5 });
	const { items } = await sandbox.run({ ...call, ...byFields({ number: '6' }), requestBy: 'json' });
	expect(items[0]?.json.number).toBe('5');
	expect((await sandbox.run(call)).items[0]?.json.number).toBe('5');
});

test.each<[string, string | object, RegExp]>([
	[
		'an unknown field',
		{ child: { nope: 1 } },
		/child\.nope is not a field of chain\.v1\.Everything$/,
	],
	['text for a number', { point: { x: 'far' } }, /point\.x must be sint64 .*; got "far"$/],
	[
		'a fraction for a long integer',
		'{"int64Value": 1.5}',
		/int64Value must be int64 .*; got 1\.5$/,
	],
	[
		'a number that is too large',
		{ int32Value: 2 ** 31 },
		/int32Value must be int32; got 2147483648$/,
	],
	[
		'bad base64',
		{ bytesValue: 'a!' },
		/bytesValue must be bytes in base64, or in hex after 0x; got "a!"$/,
	],
	[
		'an unknown name',
		{ kindList: ['KIND_ONE', 'KIND_TWO'] },
		/kindList\[1\] must be one of .*KIND_SEVEN; got "KIND_TWO"$/,
	],
	[
		'a bad time',
		{ timestamp: 'today' },
		/timestamp must be text such as "2025-01-31T12:00:00Z"; got "today"$/,
	],
	['one value for a list', { stringList: 'a' }, /stringList must be a list; got "a"$/],
	[
		'a bad key of a map',
		{ textsByNumber: { a: 'b' } },
		/textsByNumber must be an object that is a map<int64, string>; got/,
	],
	[
		'two of one choice',
		{ choiceText: 'a', choiceNumber: 1 },
		/choiceNumber and choiceText are alternatives: give only one$/,
	],
	['a list', '[]', /it must be a JSON object; got \[\]$/],
	['null', 'null', /it must be a JSON object; got null$/],
	['a field given twice', { int64Value: 1, int64_value: 1 }, /int64_value is given twice$/],
	['a number', '5', /it must be a JSON object; got 5$/],
	['no JSON', '{', /^'Request' must be JSON; got "\{"$/],
])('a request in JSON with %s is refused, and nothing is sent', async (_, request, words) => {
	const text = typeof request === 'string' ? request : JSON.stringify(request);
	const { error } = await sandbox.run(callOf('EchoService', 'Echo', text));
	expect(error?.message).toMatch(/^'Request' /);
	expect(error?.message).toMatch(words);
	const { calls } = await sandbox.seen();
	expect(calls.filter(({ method }) => method.includes('Echo'))).toEqual([]);
});
