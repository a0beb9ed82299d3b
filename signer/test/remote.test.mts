import { secp256k1 } from '@noble/curves/secp256k1';
import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	parseTransaction,
	serializeTransaction,
	type Hex,
	type TransactionSerializable,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { runNode, type NodeRun } from '../../test/harness/engine.mts';
import {
	answerCalls,
	createTestServer,
	getCalls,
	sendJson,
	startServer,
	type RpcCall,
} from '../../test/harness/server.mts';
import { Signer } from '../nodes/Signer/Signer.node';
import { inspectAll } from '../../test/harness/spellings.mts';
import {
	ADDRESS,
	credentialTypes,
	FRIEND,
	GENEROUS,
	KEY,
	signTransaction,
	signed as signedByKey,
	STRANGER,
	TRANSFER,
} from './support/signerNode.mts';

const account = privateKeyToAccount(KEY);
const PASSWORD = 'pa:ss wörd of a remote signer';

type Wire = Record<string, string>;

/** Converts the parameters of a call to a transaction in the form of viem. */
function forViem({ params }: RpcCall): TransactionSerializable {
	const given = params[0] as Wire & { accessList?: never };
	const number = (name: string) => (given[name] === undefined ? undefined : BigInt(given[name]));
	const types: Wire = { '0x0': 'legacy', '0x1': 'eip2930', '0x2': 'eip1559' };
	return {
		type: types[given.type!],
		chainId: Number(given.chainId),
		nonce: Number(given.nonce),
		to: given.to as Hex,
		data: given.data as Hex,
		gas: number('gas'),
		value: number('value'),
		gasPrice: number('gasPrice'),
		maxFeePerGas: number('maxFeePerGas'),
		maxPriorityFeePerGas: number('maxPriorityFeePerGas'),
		accessList: given.accessList,
	} as TransactionSerializable;
}

const honest = async (call: RpcCall) => await account.signTransaction(forViem(call));

/** The signer's answer to eth_signTransaction. */
let answer: (call: RpcCall) => unknown;
/** Whether the signer has no authentication. */
let isOpen = false;
let seen: unknown[] = [];

const server = createTestServer(async (received, response) => {
	const [call] = getCalls(received);
	const login = `Basic ${Buffer.from(`user:${PASSWORD}`).toString('base64')}`;
	const expected = isOpen ? undefined : login;
	if (received.request.headers.authorization !== expected) {
		return sendJson(response, 401, { error: 'no' });
	}
	const result =
		call!.method === 'eth_accounts' ? [FRIEND, ADDRESS.toLowerCase()] : await answer(call!);
	answerCalls(received, response, () =>
		typeof result === 'object' && result !== null && 'error' in result ? result : { result },
	);
});
beforeEach(() => {
	answer = honest;
	isOpen = false;
	seen = [];
});

const credential = (more: ICredentialDataDecryptedObject = {}) => ({
	url: server.url,
	username: 'user',
	password: PASSWORD,
	address: ADDRESS,
	...GENEROUS,
	...more,
});

async function run(
	parameters: Parameters<typeof signedByKey>[0],
	more: ICredentialDataDecryptedObject = {},
	others: Partial<NodeRun> = {},
) {
	const result = await runNode({
		node: new Signer(),
		parameters: { authentication: 'remote', options: { maxRetries: 0 }, ...parameters },
		credentials: { chainSignerRemoteApi: credential(more) },
		credentialTypes,
		...others,
	});
	seen.push(result);
	expect(inspectAll(seen)).not.toMatch(/wörd of a remote|d29yZCBvZiBh/i);
	return result;
}

const { maxFeePerGas, maxPriorityFeePerGas, type: _, ...bare } = TRANSFER;
const fees = { maxFeePerGas, maxPriorityFeePerGas };
const noFees = { gasPrice: undefined };
const kinds = {
	legacy: { ...bare, type: '0x0', gasPrice: '0x3b9aca00' },
	'EIP-2930': {
		...bare,
		type: '0x1',
		gas: '0x62d4',
		gasPrice: '0x3b9aca00',
		accessList: [{ address: FRIEND, storageKeys: [`0x${'1'.padStart(64, '0')}`] }],
	},
	'EIP-1559': TRANSFER,
	'a deployment': { ...TRANSFER, to: undefined, data: '0x6000', gas: '0xcf1e' },
};

test.each(Object.entries(kinds))('%s comes out as from a key', async (_, transaction) => {
	const { items, error } = await run(signTransaction(transaction));
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json)).toEqual(await signedByKey(signTransaction(transaction)));
});

test('some signers answer with an object', async () => {
	answer = async (call) => ({ raw: await honest(call), tx: {} });
	const { items } = await run(signTransaction(TRANSFER));
	expect(items[0]?.json).toEqual((await signedByKey(signTransaction(TRANSFER)))[0]);
});

test('what a rule forbids is not even asked for', async () => {
	const { error } = await run(signTransaction(TRANSFER), { maxAmount: '0.5' });
	expect(error?.message).toBe(
		'The rule Max Amount forbids it: the transaction sends 1 coins. Allowed: at most 0.5',
	);
	expect((await run(signTransaction({ ...TRANSFER, from: STRANGER }))).error?.message).toMatch(
		/^The transaction is from/,
	);
	expect(server.received).toEqual([]);
});

describe('what another account or another transaction says is thrown away:', () => {
	const thief = privateKeyToAccount(generatePrivateKey());
	const changed = (change: object) => async (call: RpcCall) =>
		await account.signTransaction({ ...forViem(call), ...change } as TransactionSerializable);
	const order = secp256k1.CURVE.n;

	/** Returns the second valid signature of the same key (with a high `s`), which chains refuse. */
	async function highS(call: RpcCall) {
		const {
			r,
			s,
			yParity,
			v: _v,
			...transaction
		} = parseTransaction((await honest(call)) as Hex) as never as Wire & { yParity: number };
		const other = `0x${(order - BigInt(s!)).toString(16).padStart(64, '0')}`;
		return serializeTransaction(
			transaction as never,
			{ r, s: other, yParity: 1 - yParity } as never,
		);
	}

	test.each<[string, (call: RpcCall) => unknown, RegExp]>([
		['another receiver', changed({ to: STRANGER }), /its to is not the one/],
		['another amount', changed({ value: 1n }), /its value is not the one/],
		['another nonce', changed({ nonce: 6 }), /its nonce is not the one/],
		['another chain', changed({ chainId: 1 }), /its chainId is not the one/],
		['another gas', changed({ gas: 21_001n }), /its gas is not the one/],
		['another price', changed({ maxFeePerGas: 3_000_000_000n }), /its maxFeePerGas is not/],
		['another tip', changed({ maxPriorityFeePerGas: 1n }), /its maxPriorityFeePerGas is not/],
		['data', changed({ data: '0x12' }), /its data is not the one/],
		[
			'an access list',
			changed({ accessList: [{ address: FRIEND, storageKeys: [] }] }),
			/its accessList is not/,
		],
		[
			'another type',
			changed({
				type: 'legacy',
				gasPrice: 1n,
				maxFeePerGas: undefined,
				maxPriorityFeePerGas: undefined,
			}),
			/is no signed transaction of this kind/,
		],
		[
			'another signer',
			async (call) => await thief.signTransaction(forViem(call)),
			/it is signed by 0x\w{40}, not by 0x70997970/,
		],
		['a high s', highS, /its signature is not the canonical one/],
		['bytes at the end', async (call) => `${await honest(call)}00`, /is no signed transaction/],
		['a byte less', async (call) => (await honest(call)).slice(0, -2), /is no signed transaction/],
		[
			'no signature',
			(call) => serializeTransaction(forViem(call)),
			/is no signed transaction|its \w+ is not/,
		],
		['a hash', () => `0x${'12'.repeat(32)}`, /is no signed transaction/],
		['nothing', () => '0x', /is no signed transaction/],
		['null', () => null, /is no signed transaction/],
		['a list', () => [], /is no signed transaction/],
		['a number', () => 5, /is no signed transaction/],
		['endless bytes', () => `0x${'02f9ffff'.repeat(1000)}`, /is no signed transaction/],
		['many fields', () => `0x02fa0f4240${'01'.repeat(1_000_000)}`, /is no signed transaction/],
	])('%s', async (_, lie, words) => {
		answer = lie;
		const { error, items } = await run(signTransaction(TRANSFER));
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^The remote signer signed another transaction: /);
		expect(error?.message).toMatch(words);
	});

	test('a legacy transaction that holds on all chains', async () => {
		answer = async (call) => {
			const { chainId: _, ...rest } = forViem(call) as { chainId: number };
			return await account.signTransaction(rest as never);
		};
		const { error } = await run(signTransaction(kinds.legacy));
		expect(error?.message).toMatch(/its chainId is not the one that was asked for$/);
	});

	test.each<[string, () => object, object, RegExp, RegExp]>([
		[
			'whose chain is fixed',
			() => TRANSFER,
			{ chainId: 1 },
			/its chainId is not/,
			/set it to chain 31337\.$/,
		],
		[
			'whose chain is fixed, of a legacy transaction',
			() => kinds.legacy,
			{ chainId: 1 },
			/its chainId is not/,
			/set it to chain 31337\.$/,
		],
		[
			'that ignores access lists',
			() => ({ ...kinds['EIP-2930'], ...noFees, ...fees, type: '0x2' }),
			{ accessList: [] },
			/its accessList is not/,
			/ignore access lists: leave accessList out of the transaction\.$/,
		],
		[
			'that knows no transactions with an access list',
			() => kinds['EIP-2930'],
			{ type: 'legacy', accessList: undefined },
			/is no signed transaction of this kind/,
			/ignore access lists: leave accessList out of the transaction\.$/,
		],
		[
			'that knows no other transactions',
			() => TRANSFER,
			{ type: 'legacy', gasPrice: 1n, maxFeePerGas: undefined, maxPriorityFeePerGas: undefined },
			/is no signed transaction of this kind/,
			/Check the signer, and which chain it is set up for\.$/,
		],
	])('a signer %s is reported with advice', async (_, transaction, change, words, advice) => {
		answer = changed(change);
		const { error } = await run(signTransaction(transaction()));
		expect(error?.message).toMatch(words);
		expect(error?.description).toMatch(/^Its answer was discarded\. /);
		expect(error?.description).toMatch(advice);
	});
});

describe('a signer that asks for no password', () => {
	const get = { resource: 'account', operation: 'get' };

	test.each([
		{ username: '', password: '' },
		{ username: undefined, password: undefined },
	])('gets none: %p', async (none) => {
		isOpen = true;
		const data = none as ICredentialDataDecryptedObject;
		expect((await run(get, data)).items[0]?.json).toMatchObject({ evm: ADDRESS });
		const { items } = await run(signTransaction(TRANSFER), data);
		expect(items.map(({ json }) => json)).toEqual(await signedByKey(signTransaction(TRANSFER)));
		expect(server.received).toHaveLength(2);
		for (const { request } of server.received) {
			expect(request.headers.authorization).toBeUndefined();
		}
	});

	test.each([
		{ username: 'user', password: '' },
		{ username: '', password: PASSWORD },
	])('is not asked with one of the two alone: %#', async (half) => {
		const { error } = await run(get, half);
		expect(error?.message).toBe(HALF);
		expect(server.received).toEqual([]);
	});

	test('is reported missing by a signer that requires it', async () => {
		const { error } = await run(get, { username: '', password: '' });
		expect(error?.message).toMatch(/no/);
		expect(server.received).toHaveLength(1);
	});
});

const HALF =
	'The Username and the Password of the credential belong together, and one of them is empty';

describe('it is asked once', () => {
	test('when it fails', async () => {
		answer = () => ({ error: { code: -32000, message: `account is locked ${PASSWORD}` } });
		const { error } = await run(signTransaction(TRANSFER), {}, {});
		expect(error?.message).toBe('account is locked ***');
		expect(server.received).toHaveLength(1);
	});

	test('when its answer is lost', async () => {
		const dead = await startServer((_received, response) => void response.destroy());
		const { error } = await run(
			{ ...signTransaction(TRANSFER), options: { maxRetries: 4 } },
			{ url: dead.url },
		);
		expect(error?.message).toBe('The connection to the service was lost before it answered');
		expect(dead.received).toHaveLength(1);
		await dead.stop();
	});

	test('for each of several items, in their order', async () => {
		const items = [7, 3, 9].map((nonce) => ({ json: { transaction: { ...TRANSFER, nonce } } }));
		const result = await run(
			{ ...signTransaction({}), transaction: '={{ $json.transaction }}' },
			{},
			{ items },
		);
		const nonces = result.items.map(
			({ json }) => parseTransaction(json.signedTransaction as Hex).nonce,
		);
		expect(nonces).toEqual([7, 3, 9]);
		expect(
			server.received.map((one) => Number((getCalls(one)[0]!.params[0] as Wire).nonce)),
		).toEqual([7, 3, 9]);
	});
});

test.each([
	['message', { message: 'hello' }],
	['typedData', { typedData: '{}' }],
	['witnessTransaction', { transaction: '{}' }],
])('%s is not for a remote signer', async (resource, more) => {
	const { error } = await run({ resource, operation: 'sign', ...more } as never);
	expect(error?.message).toMatch(
		/^(A remote signer signs EVM transactions only$|'Transaction' must be)/,
	);
	expect(server.received).toEqual([]);
});

test('account: get rules says the worst that a remote signer may sign, and asks nobody', async () => {
	const rules = { chainIds: '1', maxAmount: '0', maxFee: '0.5', contracts: '' };
	const { items } = await run(
		{ resource: 'account', operation: 'getRules' },
		{ ...rules, allowDeployments: false, allowMessages: true },
	);
	const worst =
		'At worst, someone who controls the workflow can spend all coins on chain 1: each transaction sends no coins and costs a fee of at most 0.5.';
	expect(items.map(({ json }) => json)).toEqual([{ worst }]);
	expect(server.received).toEqual([]);
});

describe('account: get', () => {
	const get = { resource: 'account', operation: 'get' };

	test('gives the address that the credential names, if the signer has it', async () => {
		expect((await run(get)).items[0]?.json).toMatchObject({ evm: ADDRESS });
		expect((await run(get, { address: STRANGER })).error?.message).toBe(
			`The remote signer has no key for ${STRANGER}`,
		);
	});

	test.each([
		['http://example.com', /must begin with https/],
		['', /must be a full address/],
		['https://user:secret@example.com', /must not contain a user name/],
	])('the URL is not %p', async (url, words) => {
		const { error } = await run(get, { url });
		expect(error?.message).toMatch(/^The URL of the credential /);
		expect(error?.message).toMatch(words);
	});

	test.each(['', 'me', FRIEND.replace('f', 'F')])('the address is not %p', async (address) => {
		expect((await run(get, { address })).error?.message).toMatch(
			/^The Address of the credential must be/,
		);
	});

	test('a wrong password is reported', async () => {
		const { error } = await run(get, { password: 'other' });
		expect(error?.message).toMatch(/no/);
		expect(server.received).toHaveLength(1);
	});
});

describe('the test of a credential', () => {
	const { credentialTest } = new Signer().methods;
	const tested = async (name: keyof typeof credentialTest, data: ICredentialDataDecryptedObject) =>
		await credentialTest[name].call(new CredentialTestContext({} as never), {
			id: '1',
			name: 'test',
			type: name,
			data,
		});
	const ANY_CONTRACT =
		'This person can call any function of any contract except the account itself, and so move every token. This person can deploy contracts';
	const signs = (more: string) => ({
		status: 'OK',
		message: `Signs for ${ADDRESS}, which is TLEaY8XoqpBmndLsjcfThgdKLN1ssNuUcF. At worst, someone who controls the workflow can spend all coins on chains 1, 31337: each transaction sends at most 1000000000000 and costs a fee of at most 1000000000000. A rollup charges its data fee on top. ${ANY_CONTRACT}${more}.`,
	});
	const OTHER_KINDS =
		'. This person can sign any message, such as a login as this account. This person can sign any typed data, and so move every token on any chain';

	test('shows the address of a key, and asks nobody', async () => {
		const alone = { helpers: undefined } as never;
		const data = { privateKey: KEY, ...GENEROUS };
		const credential = { id: '1', name: 'test', type: 'key', data };
		expect(await credentialTest.signerKey.call(alone, credential)).toEqual(signs(OTHER_KINDS));
	});

	test('shows the address at a remote signer', async () => {
		expect(await tested('signerRemote', credential())).toEqual(signs(''));
		isOpen = true;
		const open = credential({ username: '', password: '' });
		expect(await tested('signerRemote', open)).toEqual(signs(''));
	});

	test.each(['signerKey', 'signerRemote'] as const)(
		'%s calls no method of what an expression in a field gives',
		async (name) => {
			const called: unknown[] = [];
			const witnessKinds = Object.assign(['transfer'], {
				map: (callback: unknown) => called.push(callback),
			});
			const fields = { ...credential(), privateKey: KEY, ...GENEROUS, witnessKinds };
			await tested(name, fields as never);
			expect(called).toEqual([]);
		},
	);

	test.each<[keyof typeof credentialTest, () => ICredentialDataDecryptedObject, RegExp]>([
		[
			'signerKey',
			() => ({ privateKey: `${KEY}1` }),
			/^The Private Key of the credential must be 32 bytes/,
		],
		['signerKey', () => ({}), /^The Private Key of the credential must be 32 bytes/],
		[
			'signerKey',
			() => ({ privateKey: KEY, maxFee: 'x' }),
			/^The rule Max Fee of the credential can't be read/,
		],
		[
			'signerRemote',
			() => credential({ password: 'other' }),
			/^The signer refused the username or the password$/,
		],
		[
			'signerRemote',
			() => credential({ password: '' }),
			new RegExp(
				`^${HALF}\\. Enter both, or leave both empty for a signer that asks for neither\\.$`,
			),
		],
		[
			'signerRemote',
			() => credential({ username: '', password: '' }),
			/^The signer wants a username and a password$/,
		],
		[
			'signerRemote',
			() => credential({ address: STRANGER }),
			/^The remote signer has no key for 0x5aAeb/,
		],
		[
			'signerRemote',
			() => credential({ recipients: 'x' }),
			/^The rule Recipients of the credential can't be read/,
		],
		[
			'signerRemote',
			() => credential({ url: 'http://127.0.0.1:1' }),
			/^The service refused the connection$/,
		],
	])('%s says what is wrong', async (name, data, words) => {
		const { status, message } = await tested(name, data());
		expect([status, message]).toEqual(['Error', expect.stringMatching(words)]);
		expect(message).not.toMatch(/59c6995e|wörd/i);
	});
});
