import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Platform } from '../../nodes/Platform/Platform.node';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox();

const tests = { ...new Platform().methods.credentialTest, ...new EvmRpc().methods.credentialTest };

async function tested(name: keyof typeof tests, data: ICredentialDataDecryptedObject) {
	const credential = { id: '1', name: 'test', type: name, data };
	return await tests[name].call(new CredentialTestContext({} as never), credential);
}

const token = () => sandbox.credentials.token.chainNodeTokenApi;
const connected = (to: string) => ({ status: 'OK', message: `Connected: ${to}` });
const UNNAMED = 'a JSON-RPC chain node that did not name its chain';
const ROLLUP = 'the STARK rollup SN_SEPOLIA, for Chain STARK';
const NO_METHOD = { error: { code: -32601, message: 'no such method' } };
/** These answers make the sandbox look like a chain that is no STARK rollup. */
const NO_ROLLUP = { l2_chainId: NO_METHOD, starknet_chainId: NO_METHOD };

/** Sets the node's next answer to each of the methods. */
async function says(answers: Readonly<Record<string, object>>) {
	for (const [rpcMethod, answer] of Object.entries(answers)) {
		const body = { jsonrpc: '2.0', id: 1, ...answer };
		await sandbox.fault({ rpcMethod, do: { status: 200, body } });
	}
}

test('right secrets pass, with a word about the API behind them', async () => {
	const { platform, basicAuth } = sandbox.credentials;
	expect(await tested('platformApi', platform.chainPlatformApi)).toEqual(
		connected('organization Example Organization'),
	);
	const sepolia = connected('chain 11155111, block 19,000,000');
	await says({ eth_chainId: { result: '0xaa36a7' }, eth_blockNumber: { result: '0x121eac0' } });
	expect(await tested('nodeToken', token())).toEqual(sepolia);
	await says({ eth_chainId: { result: '0xaa36a7' }, eth_blockNumber: { result: '0x121eac0' } });
	expect(await tested('nodeBasicAuth', basicAuth.chainNodeBasicAuthApi)).toEqual(sepolia);
});

test.each([
	['an ID and a head', { result: '0x3039' }, { result: '0x1' }, 'chain 12345, block 1'],
	['no head', { result: '0x1' }, { error: { code: -32000 } }, 'chain 1'],
	['a head that is none', { result: '0x1' }, { result: 'soon' }, 'chain 1'],
	['an ID that is none', { result: '__proto__' }, { result: '0x1' }, UNNAMED],
	['an ID of endless digits', { result: `0x${'f'.repeat(99)}` }, { result: '0x1' }, UNNAMED],
	['no ID', NO_METHOD, { result: '0x1' }, UNNAMED],
])('of a chain with %s, the known facts are shown', async (_, chain, head, words) => {
	await says({ eth_chainId: chain, eth_blockNumber: head, ...NO_ROLLUP });
	expect(await tested('nodeToken', token())).toEqual(connected(words));
});

test.each([
	[
		'its own prefix',
		'l2',
		'0x534e5f5345504f4c4941',
		'the STARK rollup SN_SEPOLIA, for Chain STARK',
	],
	['the usual prefix', 'starknet', '0x534e5f4d41494e', 'the STARK rollup SN_MAIN, for Chain STARK'],
	['an ID that spells nothing', 'l2', '0x010203', UNNAMED],
	['an ID with control characters', 'l2', '0x534e0a', UNNAMED],
	['an endless ID', 'l2', `0x${'41'.repeat(32)}`, UNNAMED],
	['an ID that is no text', 'l2', ['0x534e'], UNNAMED],
])('a STARK rollup with %s is recognized by its ID', async (_, prefix, result, words) => {
	await says({ eth_chainId: NO_METHOD, ...NO_ROLLUP, [`${prefix}_chainId`]: { result } });
	expect(await tested('nodeToken', token())).toEqual(connected(words));
});

test('an organization without a name goes by its ID, one with an endless name by its beginning', async () => {
	const { chainPlatformApi } = sandbox.credentials.platform;
	await sandbox.fault({ do: { status: 200, body: { id: 'RG-1' } } });
	expect(await tested('platformApi', chainPlatformApi)).toEqual(connected('organization RG-1'));
	await sandbox.fault({ do: { status: 200, body: { id: 'RG-1', name: 'x'.repeat(9999) } } });
	expect((await tested('platformApi', chainPlatformApi)).message.length).toBeLessThan(600);
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
	['root', ['', ''], ROLLUP],
	['evm', ['', '/evm', '/evm', '/evm'], UNNAMED],
	['wallet', ['', '/evm', '/wallet/listwitnesses'], 'TRON, for Chain Witness Wallet'],
	[
		'ton',
		['', '/evm', '/wallet/listwitnesses', '/api/v3/estimateFee'],
		'a TON chain, for Chain TON',
	],
])('a node that serves only %s passes', async (api, paths, words) => {
	await sandbox.control('PUT', '/apis', { serves: [api] });
	expect(await tested('nodeToken', token())).toEqual(connected(words));
	expect((await sandbox.record()).map(({ path }) => path)).toEqual(paths);
});

test('an address where no kind of API is found is reported as that', async () => {
	await sandbox.control('PUT', '/apis', { serves: [] });
	const copyText = ' answers at this address. Copy the whole address from the console.';
	expect((await tested('nodeToken', token())).message).toBe(`No chain node${copyText}`);
	await sandbox.fault({ do: { status: 404, body: '<html></html>' } });
	const { chainPlatformApi } = sandbox.credentials.platform;
	expect((await tested('platformApi', chainPlatformApi)).message).toBe(
		`No platform API${copyText}`,
	);
});

test('other refusals are listed with what was asked', async () => {
	await sandbox.fault({ do: { status: 500, body: '' } });
	await sandbox.fault({ times: -1, do: { status: 404, body: '' } });
	expect((await tested('nodeToken', token())).message).toMatch(
		/^No known API answered at this address \(.* answered 500, .* answered 404/,
	);
});

test('an error in the protocol is an answer, an error page is none', async () => {
	await sandbox.fault({
		do: { status: 200, body: { jsonrpc: '2.0', id: 1, error: { code: -32601 } } },
	});
	expect(await tested('nodeToken', token())).toEqual(connected(ROLLUP));
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

test.each([
	[
		'a token in the address without one',
		{ nodeUrl: 'https://example.com/0123456789abcdef0123' },
		/must not contain the access token\. Put the whole address into Node Address/,
	],
	[
		'a token without an address',
		{ authToken: 'abcdefghijkl', nodeUrl: '' },
		/must be a full address such as https:.*Copy the whole address, with the token in it, from your provider's console/,
	],
])(
	'the advice about %s is in the message, the only thing that the form shows',
	async (_, data, words) => {
		expect((await tested('nodeToken', { ...token(), ...data })).message).toMatch(words);
	},
);

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
	).toMatch(/Address Without Token of the credential must begin with https/);
	expect((await tested('nodeToken', { ...token(), nodeUrl: 'http://127.0.0.1:9' })).message).toBe(
		'The service refused the connection',
	);
});
