import { Metadata } from '@grpc/grpc-js';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { findConnectionFailure } from '../../nodes/core/connectionFailure';
import { callOf, runAt, createLyingServer, status } from '../support/lyingServer.mts';
import { startRawServer } from '../support/rawServer.mts';

const text = (...texts: readonly string[]) => {
	const writer = new BinaryWriter();
	texts.forEach((one, index) => writer.tag(index + 1, 2).string(one));
	return writer.finish();
};
const holding = (number: number, ...messages: readonly Uint8Array[]) => {
	const writer = new BinaryWriter();
	for (const message of messages) writer.tag(number, 2).bytes(message);
	return writer.finish();
};
const detail = (type: string, message: Uint8Array) =>
	new BinaryWriter()
		.tag(1, 2)
		.string(`type.googleapis.com/${type}`)
		.tag(2, 2)
		.bytes(message)
		.finish();

type Known = readonly [Uint8Array, string];

const DETAILS: Readonly<Record<string, Known>> = {
	ErrorInfo: [
		Buffer.concat([text('RATE_LIMITED', 'example.com'), holding(3, text('limit', '25'))]),
		'ErrorInfo: RATE_LIMITED, example.com, limit: 25',
	],
	BadRequest: [
		holding(1, text('address', 'is too short'), text('amount', 'is negative')),
		'BadRequest: address: is too short, amount: is negative',
	],
	QuotaFailure: [
		holding(1, text('project:1', 'Daily limit')),
		'QuotaFailure: project:1: Daily limit',
	],
	PreconditionFailure: [
		holding(1, text('TOS', 'example.com', 'not accepted')),
		'PreconditionFailure: TOS, example.com, not accepted',
	],
	Help: [
		holding(1, text('Raise the limit', 'https://example.com/limits')),
		'Help: Raise the limit: https://example.com/limits',
	],
	LocalizedMessage: [text('de-CH', 'Zu kurz'), 'LocalizedMessage: de-CH: Zu kurz'],
	RetryInfo: [holding(1, Buffer.of(8, 90)), 'RetryInfo: 90 s'],
};

let failure: Error & { metadata?: Metadata };

const fail = () => {
	throw failure;
};
const server = createLyingServer({ methods: { '/t.S/Do': fail } });

function failing(
	code: number,
	details: readonly Uint8Array[],
	more: Record<string, string | Buffer> = {},
) {
	const metadata = new Metadata();
	for (const [name, value] of Object.entries(more)) metadata.set(name, value);
	metadata.set('grpc-status-details-bin', Buffer.from(holding(3, ...details)));
	failure = Object.assign(status(code, 'no'), { metadata });
}

test.each(Object.entries(DETAILS))(
	'%s is reported in the details',
	async (type, [message, words]) => {
		failing(3, [detail(`google.rpc.${type}`, message)]);
		const { message: reported, description } = await server.run(callOf('Do'));
		expect(reported).toBe('no');
		expect(description).toBe(
			`t.S/Do ended with INVALID_ARGUMENT (3). ${words}. Check the fields of the request.`,
		);
	},
);

test('all details are reported, but those that cannot be understood', async () => {
	const [one, other] = [DETAILS.ErrorInfo, DETAILS.Help] as [Known, Known];
	failing(9, [
		detail('google.rpc.ErrorInfo', one[0]),
		detail('google.rpc.BadRequest', Buffer.of(255, 255)),
		detail('acme.Unknown', text('secret')),
		detail('google.rpc.Status', text('secret')),
		detail('google.rpc.Help', other[0]),
	]);
	const { description } = await server.run(callOf('Do'));
	expect(description).toBe(`t.S/Do ended with FAILED_PRECONDITION (9). ${one[1]}; ${other[1]}.`);
});

test('details that never end are cut, and the token is struck from them', async () => {
	failing(9, [detail('google.rpc.LocalizedMessage', text('en', 'token-0123456789 '.repeat(500)))]);
	const { description } = await server.run(callOf('Do'));
	expect(description.length).toBeLessThan(1200);
	expect(description).toMatch(/LocalizedMessage: en: \*\*\* \*\*\*/);
	expect(description).not.toContain('token-0123456789');
});

test('trailers are shown where the option asks for them', async () => {
	failing(9, [], { 'x-request-id': 'a-1', 'x-bin': Buffer.of(1, 2), 'x-echo': 'token-0123456789' });
	expect((await server.run(callOf('Do'))).description).not.toMatch(/a-1/);
	const { description } = await server.run(callOf('Do', {}, { trailers: true }));
	expect(description).toMatch(/Trailers: .*x-request-id: a-1/);
	expect(description).toMatch(/x-echo: \*\*\*/);
	expect(description).not.toMatch(/token-0123456789/);
});

test.each<[number, string, RegExp]>([
	[
		401,
		'The token was refused before the service was reached (HTTP 401)',
		/UNAUTHENTICATED.*Check the X-Token/,
	],
	[
		403,
		'The call was forbidden before the service was reached (HTTP 403)',
		/PERMISSION_DENIED.*Check the X-Token/,
	],
	[404, 'The endpoint does not serve gRPC (HTTP 404)', /Check the Endpoint/],
	[429, 'The service accepts no more calls at the moment (HTTP 429)', /Send fewer items/],
	[
		503,
		'The service is not available at the moment (HTTP 503)',
		/Try again later.*may still have been carried out/,
	],
	[
		502,
		'The endpoint answered with an HTTP status, not over gRPC (HTTP 502)',
		/may still have been carried out/,
	],
])('HTTP %d of a proxy is reported in words', async (code, message, description) => {
	const raw = await startRawServer((stream) => {
		stream.respond({ ':status': code, 'content-type': 'text/html' });
		stream.end('<html><h1>Sorry</h1></html>');
	});
	const found = await runAt(raw.endpoint, callOf('Do', {}, { maxRetries: 0 }));
	expect(found.message).toBe(message);
	expect(found.description).toMatch(description);
	raw.stop();
});

test.each(['NODE_EXTRA_CA_CERTS', 'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH'])(
	'the advice about certificates names the variable that is in force: %s',
	(roots) => {
		const words =
			'No connection established. Last error: self-signed certificate. Resolution note: ';
		expect(findConnectionFailure(words, roots)?.advice).toMatch(new RegExp(` ${roots} `));
	},
);

test('an error without details says no more than before', async () => {
	failure = status(5, 'no such block');
	const { description } = await server.run(callOf('Do', {}, { trailers: true }));
	expect(description).toMatch(/^t\.S\/Do ended with NOT_FOUND \(5\)\./);
});

test('a token at the place where words are cut off leaves no part of itself', async () => {
	for (const place of [930, 960, 969, 975, 985]) {
		const words = `${'x'.repeat(place)}token-0123456789`;
		failing(3, [detail('google.rpc.LocalizedMessage', text('en', words))], { 'x-words': words });
		const { description } = await server.run(callOf('Do', {}, { trailers: true }));
		expect(description).toMatch(/x/);
		expect(description).not.toMatch(/token/);
	}
});

test('a service that asks to come back before now says nothing of when', async () => {
	const past = new BinaryWriter().tag(1, 0).int64(-1).finish();
	failing(8, [detail('google.rpc.RetryInfo', holding(1, past))]);
	const { message, description } = await server.run(callOf('Do', {}, { maxRetries: 0 }));
	expect(message).toBe('no');
	expect(description).not.toMatch(/come back/);
});

test('a service that never wants to be asked again is not said to want it in some days', async () => {
	failing(8, [], { 'grpc-retry-pushback-ms': '-1' });
	const { description } = await server.run(callOf('Do'));
	expect(description).toMatch(/RESOURCE_EXHAUSTED/);
	expect(description).not.toMatch(/come back/);
});
