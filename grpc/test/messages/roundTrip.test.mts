import fc from 'fast-check';
import { getCaseCount } from '../../../test/harness/caseCount.mts';
import { everything } from '../support/everything.mts';
import { callOf, createGrpcSandbox } from '../support/grpcSandbox.mts';
import { getSeed } from '../../../test/harness/caseCount.mts';

const sandbox = createGrpcSandbox();

const echo = callOf('EchoService', 'Echo');

test('what goes in as canonical JSON comes out the same, as text and from an expression', async () => {
	const property = fc.asyncProperty(
		fc.array(everything, { minLength: 1, maxLength: 4 }),
		async (messages) => {
			const items = messages.map((message) => ({
				json: { message, text: JSON.stringify(message) },
			}));
			for (const request of ['={{ $json.text }}', '={{ $json.message }}']) {
				const found = await sandbox.run({ ...echo, request }, { items });
				expect(found.error).toBeUndefined();
				expect(found.items.map(({ json }) => json)).toEqual(messages);
			}
		},
	);
	await fc.assert(property, { seed: getSeed(20_251_120), numRuns: getCaseCount(60) });
}, 120_000);

test('a long integer whose digits an expression has lost is refused', async () => {
	const { error } = await sandbox.run({
		...echo,
		request: '={{ { int64Value: 9007199254740993 } }}',
	});
	expect(error?.message).toBe(
		'\'Request\' does not fit chain.v1.Everything: int64Value must be int64 (as text if above 2^53); got "9.007199254740992e+15"',
	);
});

test('names as in the proto file, numbers of enums, url-safe base64 and dates are understood', async () => {
	const request =
		'={{ { int64_value: "7", kind: 7, bytes_value: "-_8", timestamp: DateTime.fromISO("2025-01-31T12:00:00Z") } }}';
	const { items, error } = await sandbox.run({ ...echo, request });
	expect(error).toBeUndefined();
	expect(items[0]?.json).toMatchObject({
		int64Value: '7',
		kind: 'KIND_SEVEN',
		bytesValue: '+/8=',
		timestamp: '2025-01-31T12:00:00Z',
	});
});

test('an empty request is the message without values, and all its fields come out', async () => {
	const { items } = await sandbox.run({ ...echo, request: '' });
	expect(items[0]?.json).toMatchObject({
		doubleValue: 0,
		int64Value: '0',
		stringValue: '',
		boolList: [],
		numbersByName: {},
	});
	expect(items[0]?.json).not.toHaveProperty('optionalInt32');
});

test('each message of a stream is the one that went in', async () => {
	const [message] = fc.sample(everything, { seed: 7, numRuns: 1 });
	const { items } = await sandbox.run(
		callOf('EchoService', 'EchoStream', JSON.stringify({ message, times: 3 })),
	);
	expect(items.map(({ json }) => json)).toEqual([message, message, message]);
});
