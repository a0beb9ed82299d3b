import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox({ chain: true });

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const TON = 'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q';

async function faucet(parameters: INodeParameters = {}, more: Partial<NodeRun> = {}) {
	return await runNode({
		node: new Faucet(),
		parameters: { operation: 'request', chain: 'sepolia', address: ADDRESS, ...parameters },
		credentials: sandbox.credentials.platform,
		...more,
	});
}

const HASH = `0x${'ab'.repeat(32)}`;

const balance = async (address: string) =>
	BigInt(String(await sandbox.chain('eth_getBalance', address, 'latest')));

test('the funds arrive on the chain, and the hash is that of the transfer', async () => {
	const before = await balance(ADDRESS);
	const { items } = await faucet();
	const { url, transactionHash, ...rest } = items[0]?.json ?? {};
	expect(rest).toEqual({ chain: 'sepolia', address: ADDRESS });
	expect(String(url).endsWith(`/${String(transactionHash)}`)).toBe(true);
	const sent = (await sandbox.chain('eth_getTransactionByHash', transactionHash)) as {
		to: string;
		value: string;
	};
	expect(sent.to).toBe(ADDRESS.toLowerCase());
	expect(await balance(ADDRESS)).toBe(before + BigInt(sent.value));
});

test.each([
	['hoodi', ADDRESS],
	['sepolia', ADDRESS.toLowerCase()],
	['bnb-testnet', ADDRESS],
	['zksync-testnet', ADDRESS],
	['scroll-sepolia-testnet', ADDRESS],
	['amoy', ADDRESS],
	['ton-testnet', TON],
])(
	'%s is asked at its documented path, with exactly the documented body',
	async (chain, address) => {
		const { error } = await faucet({ chain, address });
		expect(error).toBeUndefined();
		const [seen] = await sandbox.record();
		expect(seen).toMatchObject({ method: 'POST', path: `/v1/faucet/${chain}`, body: { address } });
	},
);

test('the menu offers the documented chains', () => {
	const [menu] = new Faucet().description.properties.filter(({ name }) => name === 'chain');
	expect(menu?.options?.map((one) => 'value' in one && one.value)).toEqual([
		'amoy',
		'bnb-testnet',
		'hoodi',
		'scroll-sepolia-testnet',
		'sepolia',
		'ton-testnet',
		'zksync-testnet',
	]);
});

test('any other chain can be given by expression', async () => {
	await sandbox.fault({
		do: { status: 200, body: { url: `https://example.com/tx/${HASH}/?network=x` } },
	});
	const { items } = await faucet({ chain: '={{ "holesky" }}' });
	expect(items[0]?.json).toMatchObject({ chain: 'holesky', transactionHash: HASH });
});

test('the older answer is accepted, its amount whole', async () => {
	await sandbox.control('PUT', '/faucet', { form: 'transaction' });
	const { items } = await faucet();
	expect(items[0]?.json).toEqual({
		amountSent: '100000000000000000',
		transaction: expect.stringMatching(/^https/),
		url: items[0]?.json.transaction,
		chain: 'sepolia',
		address: ADDRESS,
		transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
	});
});

test('a message in a good answer is no refusal', async () => {
	const body = { url: `https://example.com/tx/${HASH}`, message: 'Below your monthly limit.' };
	await sandbox.fault({ do: { status: 200, body } });
	const { items } = await faucet();
	expect(items[0]?.json).toMatchObject({ ...body, transactionHash: HASH });
});

const base64 = Buffer.alloc(32, 255).toString('base64url');

test.each([
	[`https://example.com/#/tx/${HASH}`, HASH],
	[`https://example.com/?tx=${HASH}&network=x#top`, HASH],
	[`https://example.com/tx/${HASH.slice(2)}`, HASH.slice(2)],
	[`https://example.com/transaction/${base64}`, base64],
	[`https://example.com/address/${ADDRESS}/tx/${HASH}`, HASH],
	[HASH, HASH],
	['https://example.com/tx/0xabc', null],
	['https://example.com/#/tx/', null],
	[`https://example.com/address/${ADDRESS}`, null],
	['https://example.com', null],
])('the hash in %s is %p', async (url, transactionHash) => {
	await sandbox.fault({ do: { status: 200, body: { url } } });
	expect((await faucet()).items[0]?.json).toMatchObject({ url, transactionHash });
});

describe('refusals', () => {
	test('quote the service, and the documented rule where it fits', async () => {
		await sandbox.control('PUT', '/faucet', { balances: { [ADDRESS]: '0.05' } });
		const { error } = await faucet();
		expect(error?.message).toMatch(/0\.08 ETH/);
		expect(error?.description).toMatch(
			/answered 403\..*hold at least 0\.08 ETH on the main network/,
		);
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('a second request within the cool-down says when the next is possible, and does not wait', async () => {
		await faucet();
		const { error } = await faucet();
		expect(error).toMatchObject({ httpCode: '429' });
		expect(error?.description).toMatch(/The next payment is possible at 20\d\d-.*Z/);
		expect(await sandbox.record()).toHaveLength(2);
	});

	test('leave by the error output, the other items are paid', async () => {
		const items = [ADDRESS, ADDRESS, '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'].map(
			(address): INodeExecutionData => ({ json: { address } }),
		);
		const result = await faucet(
			{ address: '={{ $json.address }}', options: { concurrency: 1 } },
			{ items, onError: 'continueErrorOutput' },
		);
		expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(result.errorItems).toHaveLength(1);
	});
});

test.each<[string, INodeParameters, RegExp]>([
	[
		'a wrong checksum',
		{ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD' },
		/^'Address' must be .*EIP-55/,
	],
	['a short address', { address: '0x1234' }, /^'Address' must be an address/],
	['a TON address on an EVM chain', { address: TON }, /^'Address' must be an address/],
	['an EVM address on TON', { chain: 'ton-testnet' }, /^'Address' must be/],
	['a list', { address: '={{ ["0x"] }}' }, /^'Address' must be text/],
	[
		'a chain that leads elsewhere',
		{ chain: '={{ "../projects" }}' },
		/^'Chain' must be the name of a chain/,
	],
	['an empty chain', { chain: '={{ "" }}' }, /^'Chain' must be the name of a chain/],
])('%s is refused before anything is sent', async (_, parameters, message) => {
	const { error } = await faucet(parameters);
	expect(error?.message).toMatch(message);
	expect(await sandbox.record()).toEqual([]);
});
