import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../../test/harness/engine.mts';
import { startSandbox, TEST_ADDRESS, type Sandbox } from '../../test/harness/sandbox.mts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Signer } from '../nodes/Signer/Signer.node';
import { credentialTypes, FRIEND } from './support/signerNode.mts';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ chain: true });
});
afterAll(async () => await sandbox.stop());

async function evm(parameters: INodeParameters, items?: object[]) {
	const run = await runNode({
		node: new EvmRpc(),
		parameters: { authentication: 'token', resource: 'transaction', ...parameters },
		credentials: sandbox.credentials.token,
		...(items && { items: items.map((json) => ({ json: json as never })) }),
	});
	if (run.error) throw run.error;
	return run.items.map(({ json }) => json);
}

async function signedBy(authentication: 'key' | 'remote', items: object[], transaction: string) {
	const run = await runNode({
		node: new Signer(),
		parameters: { authentication, resource: 'transaction', operation: 'sign', transaction },
		credentials: {
			...sandbox.credentials.signerKey,
			...sandbox.credentials.signerRemote,
		} as never,
		credentialTypes,
		items: items.map((json) => ({ json: json as never })),
	});
	if (run.error) throw run.error;
	return run.items.map(({ json }) => json);
}

test.each(['key', 'remote'] as const)(
	'what was prepared is signed by a %s, sent and mined',
	async (authentication) => {
		const people = [FRIEND, TEST_ADDRESS, FRIEND].map((to) => ({ to }));
		const prepared = await evm(
			{
				operation: 'prepare',
				from: TEST_ADDRESS,
				kind: 'coinTransfer',
				to: '={{ $json.to }}',
				amount: '0.25',
			},
			people,
		);
		const whole = await signedBy(authentication, prepared, '={{ $json }}');
		const parts = await signedBy('key', prepared, '={{ $json.transaction }}');
		expect(whole).toEqual(parts);
		const sent = await evm(
			{ operation: 'send', signedTransaction: '={{ $json.signedTransaction }}' },
			whole,
		);
		expect(sent.map(({ transactionHash }) => transactionHash)).toEqual(
			whole.map(({ transactionHash }) => transactionHash),
		);
		const mined = await evm(
			{ operation: 'wait', transactionHash: '={{ $json.transactionHash }}' },
			sent,
		);
		expect(mined.map(({ status }) => status)).toEqual(['success', 'success', 'success']);
	},
);

test('the remote signer of the sandbox has no other methods, and wants its password', async () => {
	const { url, username, password } = sandbox.credentials.signerRemote.chainSignerRemoteApi;
	const ask = async (method: string, secret: string) => {
		const authorization = `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`;
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json', authorization },
			body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [] }),
		});
		return response.status === 200 ? await response.json() : response.status;
	};
	expect(await ask('eth_accounts', password)).toMatchObject({
		result: expect.arrayContaining([TEST_ADDRESS.toLowerCase()]),
	});
	expect(await ask('eth_sendTransaction', password)).toMatchObject({ error: { code: -32601 } });
	expect(await ask('eth_accounts', 'wrong')).toBe(401);
});
