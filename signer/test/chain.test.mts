import type { INodeParameters } from 'n8n-workflow';
import { keccak256 } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { runNode } from '../../test/harness/engine.mts';
import { createSandbox, TEST_ADDRESS } from '../../test/harness/sandbox.mts';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Signer } from '../nodes/Signer/Signer.node';
import {
	credentialTypes,
	FRIEND,
	KEY,
	signed,
	signTransaction,
	TRANSFER,
} from './support/signerNode.mts';

const PRICES = { maxFeePerGas: '20000000000', maxPriorityFeePerGas: '1' };
const SLOT = `0x${'1'.padStart(64, '0')}`;

const sandbox = createSandbox({ chain: true });

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

/** The least gas of each transaction by the chain's rules. The chain refuses one unit less. */
test.each<[string, object, number]>([
	['a payment', { to: FRIEND }, 21_000],
	['data that is not zero', { to: FRIEND, data: '0x12345678' }, 21_160],
	['data with zeros', { to: FRIEND, data: '0x12000000' }, 21_070],
	[
		'an access list',
		{ to: FRIEND, accessList: [{ address: FRIEND, storageKeys: [SLOT] }] },
		25_300,
	],
	['a deployment', { to: undefined, data: `0x00${'00'.repeat(32)}` }, 53_136],
	['a long deployment', { to: undefined, data: `0x00${'12'.repeat(1999)}` }, 100_970],
])('a chain asks as much gas for %s as the signer, and mines it', async (_, change, gas) => {
	const nonce = Number(await sandbox.chain('eth_getTransactionCount', TEST_ADDRESS, 'latest'));
	const short = await privateKeyToAccount(KEY).signTransaction({
		...change,
		chainId: 31337,
		nonce,
		gas: BigInt(gas - 1),
		type: 'eip1559',
		maxFeePerGas: BigInt(PRICES.maxFeePerGas),
		maxPriorityFeePerGas: 1n,
	});
	// The node refuses too little gas either when it gets the transaction or when it makes the block.
	await sandbox.chain('eth_sendRawTransaction', short).catch((error: Error) => {
		expect(error.message).toMatch(/gas/);
	});
	expect(await sandbox.chain('eth_getTransactionReceipt', keccak256(short))).toBeNull();
	await sandbox.chain('anvil_dropAllTransactions');
	const given = { ...TRANSFER, ...change, value: '0x0', nonce, gas, ...PRICES };
	const [least] = await signed(signTransaction(given));
	const hash = await sandbox.chain('eth_sendRawTransaction', least?.signedTransaction);
	const [mined] = await evm({ operation: 'wait', transactionHash: String(hash) });
	expect(mined).toMatchObject({ transactionHash: least?.transactionHash, status: 'success' });
	const { gasUsed } = (await sandbox.chain('eth_getTransactionReceipt', hash)) as Receipt;
	expect(Number(gasUsed)).toBe(gas);
});

interface Receipt {
	readonly gasUsed: string;
}

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
