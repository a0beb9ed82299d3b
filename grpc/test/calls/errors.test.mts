import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { findConnectionFailure } from '../../nodes/core/connectionFailure';
import { callOf, createGrpcSandbox } from '../support/grpcSandbox.mts';
import { inTime } from '../support/inTime.mts';

const sandbox = createGrpcSandbox();

async function failureOf(
	parameters: INodeParameters,
	credential: ICredentialDataDecryptedObject = {},
): Promise<[string | undefined, string | undefined | null]> {
	const { error } = await sandbox.run(parameters, { credential });
	return [error?.message, error?.description];
}

const list = { operation: 'listServices' };

test.each<[string, INodeParameters, string, RegExp]>([
	[
		'an unknown service',
		{ operation: 'describe', service: 'chain.v1.Nope' },
		'The endpoint offers no service chain.v1.Nope',
		/Choose a service/,
	],
	[
		'a message for a service',
		{ operation: 'describe', service: 'chain.v1.Block' },
		'The endpoint offers no service chain.v1.Block',
		/Choose a service/,
	],
	[
		'an unknown method',
		callOf('EchoService', 'Nope'),
		'The service chain.v1.EchoService has no method Nope',
		/^Its methods are: Echo, EchoStream\.$/,
	],
	[
		'what is not served',
		callOf('ArchiveService', 'GetBlock'),
		'The server does not implement the method GetBlock',
		/UNIMPLEMENTED \(12\)/,
	],
	[
		'a huge answer',
		callOf('TroubleService', 'Huge', { bytes: 65 * 1024 * 1024 }),
		'The answer is larger than 64 MB',
		/RESOURCE_EXHAUSTED \(8\)/,
	],
])('%s', async (_, parameters, message, description) => {
	expect(await failureOf(parameters)).toEqual([message, expect.stringMatching(description)]);
});

test('a late answer', async () => {
	const reported = /DEADLINE_EXCEEDED \(4\).*'Timeout'.*may still have been carried out/;
	const [message, description] = await inTime(
		async (timeout) =>
			await failureOf(callOf('TroubleService', 'Slow', { delayMs: 60_000 }, { timeout })),
		([, words]) => reported.test(String(words)),
	);
	expect(message).toBe('The service did not answer in time');
	expect(description).toMatch(reported);
});

test.each([
	[1, 'CANCELLED', /may still have been carried out/],
	[3, 'INVALID_ARGUMENT', /Check the fields of the request/],
	[5, 'NOT_FOUND', /\(5\)\.$/],
	[7, 'PERMISSION_DENIED', /Check the X-Token/],
	[8, 'RESOURCE_EXHAUSTED', /Send fewer items/],
	[13, 'INTERNAL', /may still have been carried out/],
	[14, 'UNAVAILABLE', /may still have been carried out/],
	[16, 'UNAUTHENTICATED', /Check the X-Token/],
])('status %d is reported in the words of the service', async (code, name, advice) => {
	const words = `sorry, ${name.toLowerCase()}`;
	const fail = (request: INodeParameters) =>
		callOf('TroubleService', 'Fail', { code, ...request }, { maxRetries: 1 });
	const [message, description] = await failureOf(fail({ message: words }));
	expect(message).toBe(words);
	expect(description).toContain(`chain.v1.TroubleService/Fail ended with ${name} (${code})`);
	expect(description).toMatch(advice);
	expect((await failureOf(fail({})))[0]).toMatch(/^\w+ .*\w$/);
});

test.each(['Deadline exceeded', 'context deadline exceeded'])(
	'%s is what a library says, and reported in plain words',
	async (message) => {
		const [words] = await failureOf(callOf('TroubleService', 'Fail', { code: 4, message }));
		expect(words).toBe('The service did not answer in time');
	},
);

test('a large answer within the limit passes', async () => {
	const { items } = await sandbox.run(callOf('TroubleService', 'Huge', { bytes: 9_000_000 }));
	expect(String(items[0]?.json.data)).toHaveLength(12_000_000);
});

test('a wrong token, and an endpoint without reflection, are said to be that', async () => {
	expect(await failureOf(list, { xToken: 'wrong-token-0123' })).toEqual([
		'invalid x-token',
		expect.stringMatching(/UNAUTHENTICATED \(16\)\. Check the X-Token in the credential\.$/),
	]);
	await sandbox.set({ reflection: [] });
	expect((await failureOf(list))[0]).toBe(
		'The service does not list its methods, because it offers no reflection',
	);
});

test('a dead endpoint fails at once, and no address is reported', async () => {
	const start = Date.now();
	const failure = await failureOf(list, { endpoint: '127.0.0.1:9' });
	expect(Date.now() - start).toBeLessThan(20_000);
	expect(failure[0]).toBe('The endpoint refused the connection');
	expect(failure.join()).not.toContain('127.0.0.1');
});

test('a host without an address is reported as that', () => {
	const words = 'Name resolution failed for target dns:nowhere.invalid:443';
	expect(findConnectionFailure(words)?.message).toBe('The host of the endpoint was not found');
});

test('TLS and plain ports are not confused', async () => {
	expect(await failureOf(list, { tls: false })).toEqual([
		'The endpoint cannot be reached',
		expect.stringContaining('Check Endpoint and Use TLS'),
	]);
	const { endpoint = '' } = sandbox.plain;
	expect((await failureOf(list, { endpoint }))[0]).toBe('The endpoint does not speak TLS');
});
