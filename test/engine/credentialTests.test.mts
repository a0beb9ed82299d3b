import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

const tests = { ...new Platform().methods.credentialTest, ...new EvmRpc().methods.credentialTest };

async function tested(name: keyof typeof tests, data: ICredentialDataDecryptedObject) {
	const credential = { id: '1', name: 'test', type: name, data };
	return await tests[name].call(new CredentialTestContext({} as never), credential);
}

const token = () => sandbox.credentials.token.chainNodeTokenApi;
const success = { status: 'OK', message: 'Connection successful' };

test('right secrets pass', async () => {
	const { platform, basicAuth } = sandbox.credentials;
	expect(await tested('platformApi', platform.chainPlatformApi)).toEqual(success);
	expect(await tested('nodeToken', token())).toEqual(success);
	expect(await tested('nodeBasicAuth', basicAuth.chainNodeBasicAuthApi)).toEqual(success);
});

test('wrong secrets fail with a sentence that helps', async () => {
	const { platform, basicAuth } = sandbox.credentials;
	const wrong = 'wrong-secret-0123';
	expect(await tested('platformApi', { ...platform.chainPlatformApi, apiKey: wrong })).toEqual({
		status: 'Error',
		message: 'The service refused the API key: Invalid API key.',
	});
	expect((await tested('nodeToken', { ...token(), authToken: wrong })).message).toMatch(
		/^The service refused the token/,
	);
	const badPassword = { ...basicAuth.chainNodeBasicAuthApi, password: wrong };
	expect((await tested('nodeBasicAuth', badPassword)).message).toMatch(
		/^The service refused the username or the password/,
	);
});

test.each([
	['root', ['']],
	['evm', ['', '/evm']],
	['wallet', ['', '/evm', '/wallet/listwitnesses']],
	['ton', ['', '/evm', '/wallet/listwitnesses', '/api/v3/estimateFee']],
])('a node that serves only %s passes', async (api, paths) => {
	await sandbox.control('PUT', '/apis', { serves: [api] });
	expect(await tested('nodeToken', token())).toEqual(success);
	expect((await sandbox.record()).map(({ path }) => path)).toEqual(paths);
});

test('silence from all kinds of API is said to be that', async () => {
	await sandbox.control('PUT', '/apis', { serves: [] });
	expect((await tested('nodeToken', token())).message).toMatch(
		/^No known API answered at this address/,
	);
});

test('an error in the protocol is an answer, an error page is none', async () => {
	await sandbox.fault({
		do: { status: 200, body: { jsonrpc: '2.0', id: 1, error: { code: -32601 } } },
	});
	expect(await tested('nodeToken', token())).toEqual(success);
	await sandbox.fault({ times: -1, do: { status: 404, body: '<html></html>' } });
	expect((await tested('nodeToken', token())).status).toBe('Error');
});

test.each([
	['its own id', 1, -32000, 'Unauthorized: invalid token'],
	['no id', null, -32000, 'Unauthorized: invalid token'],
	['another code', 1, -32001, 'Invalid API key'],
	['other words', 1, -32600, 'The project ID and its token are wrong: access denied'],
])('a refusal with status 200, in an error with %s, is a failure', async (_, id, code, message) => {
	const body = { jsonrpc: '2.0', id, error: { code, message } };
	await sandbox.fault({ times: -1, do: { status: 200, body } });
	expect(await tested('nodeToken', token())).toEqual({
		status: 'Error',
		message: `The service refused the token: ${message}`,
	});
});

test('an error that answers no call is no proof of a connection', async () => {
	const body = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'Parse error' } };
	await sandbox.fault({ times: -1, do: { status: 200, body } });
	expect((await tested('nodeToken', token())).message).toMatch(/^No known API answered/);
});

test('an echo, a redirect, a bad address and a dead host leak and break nothing', async () => {
	await sandbox.fault({ do: { echo: true } });
	const { message } = await tested('nodeToken', token());
	expect(message).toMatch(/^The service refused the token/);
	expect(message).not.toContain(sandbox.authToken);

	await sandbox.fault({ times: -1, do: { redirect: 'https://example.com/' } });
	expect((await tested('platformApi', sandbox.credentials.platform.chainPlatformApi)).status).toBe(
		'Error',
	);
	expect(
		(await tested('nodeToken', { ...token(), nodeUrl: 'http://example.com' })).message,
	).toMatch(/Node URL of the credential must begin with https/);
	expect((await tested('nodeToken', { ...token(), nodeUrl: 'http://127.0.0.1:9' })).message).toBe(
		'The service refused the connection',
	);
});
