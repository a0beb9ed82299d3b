import { getAddress } from 'viem';
import { createFakeNode } from '../../harness/fakeNode.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

const sandbox = createSandbox({ chain: true });
let accounts: string[];
let begin: number;
const { run, first, calls } = evmRpcAt(sandbox);

/** Mines blocks that are an hour apart. The last few blocks have the same time. */
beforeAll(async () => {
	accounts = (await sandbox.chain('eth_accounts')) as string[];
	begin = Date.now() - 3_600_000;
	begin = Math.floor(begin / 1000) + 7200;
	for (let hour = 0; hour < 50; hour++) await sandbox.chain('evm_mine', begin + hour * 3600);
});

const byTime = (time: unknown, more = {}) => ({
	resource: 'block',
	operation: 'getByTime',
	time: time as string,
	...more,
});

describe('the last block at or before a time', () => {
	test('is the head when the time is yet to come, and null when there was no block', async () => {
		expect(await first(byTime(begin + 9_999_999))).toMatchObject({ number: 50 });
		expect(await first(byTime(86_400))).toEqual({ result: null });
	});

	test('is as the chain node gives it without simplify', async () => {
		expect(await first(byTime(begin, { simplify: false }))).toEqual(
			await sandbox.chain('eth_getBlockByNumber', '0x1', false),
		);
	});

	test('is found for many items at once in few requests', async () => {
		const items = Array.from({ length: 40 }, (_, hour) => ({
			json: { time: begin + hour * 3600 + 5 },
		}));
		const found = await run(byTime('={{ $json.time }}'), { items });
		expect(found.items.map(({ json }) => json.number)).toEqual(items.map((_, hour) => hour + 1));
		expect((await sandbox.record()).length).toBeLessThan(15);
	});

	test('is not looked for at a time that is none', async () => {
		expect(await first(byTime('yesterday'))).toMatchObject({
			message: expect.stringMatching(/^'Time' must be a time such as/),
		});
		expect(await sandbox.record()).toEqual([]);
	});
});

test('the fees are returned in wei and gwei, from two calls that travel together', async () => {
	const fees = (await first({ resource: 'fee', operation: 'get' })) as Record<string, unknown>;
	expect(Object.keys(fees)).toEqual(['gasPrice', 'baseFee', 'slow', 'normal', 'fast']);
	expect(fees.gasPrice).toEqual({
		wei: expect.stringMatching(/^\d+$/),
		gwei: expect.stringMatching(/^[\d.]+$/),
	});
	const sent = await calls();
	expect(sent.map((request) => request.calls.map(({ method }) => method))).toEqual([
		['eth_gasPrice', 'eth_feeHistory'],
	]);
});

test('the max priority fee is returned in wei and gwei too', async () => {
	const read = { resource: 'fee', operation: 'getMaxPriority' };
	expect(await first(read)).toEqual({ result: '0x0', wei: '0', gwei: '0' });
});

describe('of an account', () => {
	const of = (operation: string, address: string, more = {}) => ({
		resource: 'account',
		operation,
		address,
		...more,
	});

	test('the transactions are counted, at any block', async () => {
		const [, , account = ''] = accounts;
		const count = async (block: string) =>
			await first(of('getTransactionCount', account, { block }));
		await sandbox.mined({ from: account, to: accounts[0], value: '0x1' });
		await sandbox.mined({ from: account, to: accounts[0], value: '0x1' });
		const head = Number(await sandbox.chain('eth_blockNumber'));
		expect(await count('pending')).toEqual({ result: '0x2', transactionCount: 2 });
		expect(await count(String(head - 1))).toEqual({ result: '0x1', transactionCount: 1 });
	});
});

describe('what chain this is', () => {
	const node = createFakeNode();
	const get = { resource: 'chain', operation: 'get' };

	test('is read in one request', async () => {
		const height = Number(await sandbox.chain('eth_blockNumber'));
		expect(await first(get)).toEqual({
			chainId: 31_337,
			blockNumber: height,
			timestamp: expect.stringMatching(/^20\d\d-.*Z$/),
			clientVersion: expect.stringMatching(/^anvil/),
		});
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('is null where the node does not return it', async () => {
		const unknown = { code: -32601, message: 'the method web3_clientVersion does not exist' };
		node.setAnswers({
			eth_chainId: () => '0x7a69',
			eth_getBlockByNumber: () => node.buildBlock(7),
			web3_clientVersion: () => {
				throw unknown;
			},
		});
		const { items } = await run(get, { credentials: node.credentials });
		expect(items[0]?.json).toMatchObject({
			chainId: 31_337,
			blockNumber: 7,
			clientVersion: null,
		});
	});
});

describe('the code at an address', () => {
	const codeAt = async (address: string) =>
		await first({ resource: 'account', operation: 'getCode', address });

	test.each([
		['an account has none', '0x', false, null],
		['a contract has some', '0x6001', true, null],
		[
			'an account that runs the code of another address is no contract',
			`0xef0100${'ab'.repeat(20)}`,
			false,
			getAddress(`0x${'ab'.repeat(20)}`),
		],
		['code of that length is code', `0x600100${'ab'.repeat(20)}`, true, null],
	])('%s', async (_, code, isContract, delegatedTo) => {
		const address = getAddress(`0x${'c0'.repeat(20)}`);
		await sandbox.chain('anvil_setCode', address, code);
		expect(await codeAt(address.toLowerCase())).toEqual({
			address,
			isContract,
			code,
			delegatedTo,
		});
	});
});
