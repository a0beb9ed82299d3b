import { callOf, createGrpcSandbox } from '../support/grpcSandbox.mts';
import { oddCall, createOddServer } from '../support/oddService.mts';

const sandbox = createGrpcSandbox();

async function echo(request: object): Promise<{ sent?: object; refused?: string }> {
	const { items, error } = await sandbox.run(
		callOf('EchoService', 'Echo', JSON.stringify(request)),
		{ credential: sandbox.plain },
	);
	return { sent: items[0]?.json, refused: error?.message };
}

const expectRefused = async (request: object, words: string) =>
	expect((await echo(request)).refused).toBe(
		`'Request' does not fit chain.v1.Everything: ${words}`,
	);

const OR_HEX = 'bytes in base64, or in hex after 0x';

describe('bytes', () => {
	test.each(['', 'YQ', 'YQ==', 'YWI=', ' Y W\nJj ', '-_8', '+/8=', '0123456789abcdef'])(
		'are base64: %j',
		async (text) => {
			const bytesValue = Buffer.from(text, 'base64').toString('base64');
			expect((await echo({ bytesValue: text })).sent).toMatchObject({ bytesValue });
		},
	);

	test.each([
		['YR==', 'YQ=='],
		['YR', 'YQ=='],
		['YWJ', 'YWI='],
		['YWJ=', 'YWI='],
		['__-', '//8='],
		['0123456789abcdef0123456', '0123456789abcdef0123454='],
	])('may have last bits that no byte takes: %j', async (text, bytesValue) => {
		expect((await echo({ bytesValue: text })).sent).toMatchObject({ bytesValue });
		expect((await echo({ wrappedBytes: text })).sent).toMatchObject({ wrappedBytes: bytesValue });
	});

	test.each(['Y', 'YQ==YQ==', 'YQ===', 'YWJhY', 'a!', 'YQ\u00a0==', 'YÄ==', '0xabc'])(
		'that are no base64 are refused: %j',
		async (text) => {
			const got = JSON.stringify(text);
			await expectRefused({ bytesValue: text }, `bytesValue must be ${OR_HEX}; got ${got}`);
		},
	);

	const digits = '07e7d6b2'.repeat(8);
	const base64 = Buffer.from(digits, 'hex').toString('base64');
	test.each<[object, object]>([
		[{ bytesValue: '0x' }, { bytesValue: '' }],
		[{ bytesValue: '0xab' }, { bytesValue: 'qw==' }],
		[{ bytesValue: `0X${digits.toUpperCase()}` }, { bytesValue: base64 }],
		[{ child: { bytesValue: `0x${digits}` } }, { child: { bytesValue: base64 } }],
		[{ bytesList: ['YQ==', `0x${digits}`] }, { bytesList: ['YQ==', base64] }],
		[{ bytesByName: { a: `0x${digits}` } }, { bytesByName: { a: base64 } }],
		[{ choiceBytes: `0x${digits}` }, { choiceBytes: base64 }],
		[{ wrappedBytes: `0x${digits}` }, { wrappedBytes: base64 }],
	])('after 0x are hex: %j', async (given, sent) => {
		expect((await echo(given)).sent).toMatchObject(sent);
	});

	test('of a wrapper are bytes too', async () => {
		await expectRefused({ wrappedBytes: 'Y' }, `wrappedBytes must be ${OR_HEX} or null; got "Y"`);
	});
});
describe('inside an Any', () => {
	const server = createOddServer({ Echo: (request) => request });

	const ANY = 'type.googleapis.com/';
	const run = async (type: string, rest: string) =>
		await server.run(oddCall('Echo', `{"content": {"@type": "${ANY}${type}", ${rest}}}`));

	test.each([
		['odd.v1.Hidden', '"secretNumber": 1.5e18', '"secretNumber": "1500000000000000000"'],
		['google.protobuf.BytesValue', '"value": "-_8"', '"value": "+/8="'],
		['google.protobuf.Value', '"value": {"a": 1e16}', '"value": {"a": 1e16}'],
	])('%s: %s', async (type, given, sent) => {
		const { json } = await run(type, given);
		expect(json[0]?.content).toEqual(JSON.parse(`{"@type": "${ANY}${type}", ${sent}}`));
	});

	test.each([
		['odd.v1.Hidden', '"secretNumber": 4503599627370497.5', /content\.secretNumber must be uint64/],
		['google.protobuf.BytesValue', '"value": "Y"', /content\.value must be bytes in base64/],
		[
			'google.protobuf.Value',
			'"value": [12345678901234567890]',
			/content\.value\[0\] must be a num/,
		],
		['google.protobuf.DoubleValue', '"value": 1e400', /content\.value must be double or null/],
	])('%s with %s is refused', async (type, given, words) => {
		expect((await run(type, given)).message).toMatch(words);
	});
});
