import { Address } from '@ton/core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Ton } from '../../nodes/Ton/Ton.node';
import { buildTonScene } from '../cases/tonScene.mts';
import { deployContract } from '../harness/contract.mts';
import { runNode } from '../harness/engine.mts';
import { createFakeNode } from '../harness/fakeNode.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { evmRpcAt } from './evmRpc/support/scene.mts';

/** These tests check the hints that n8n shows above a node's output. Hints are no failures. */

const from = '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB';
const sandbox = createSandbox({ chain: true });
const { run } = evmRpcAt(sandbox);
const items = (...given: IDataObject[]) => ({ items: given.map((json) => ({ json })) });

describe('a list that ends at its limit', () => {
	const listed = async (limit: object, count = 1) =>
		await run(
			{ resource: 'log', operation: 'getAll', fromBlock: '0', address: token, ...limit },
			items(...Array.from({ length: count }, (_, item) => ({ item }))),
		);
	let token: string;

	beforeAll(async () => {
		const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
		token = coin.address;
		for (const value of [1n, 2n, 3n]) {
			const data = coin.data('transfer(address,uint256)', BigInt(from), value);
			await sandbox.mined({ from: coin.owner, to: token, data });
		}
	});

	test('says once for all items that there may be more', async () => {
		const { items: logs, hints, error } = await listed({ limit: 2 }, 3);
		expect(error?.message).toBeUndefined();
		expect(logs).toHaveLength(6);
		expect(hints).toEqual([
			"The limit was reached, and there may be more. 'Return All' gives all.",
		]);
	});

	test.each([
		['not reached', { limit: 50 }],
		['not set', { returnAll: true }],
	])('says nothing where the limit is %s', async (_which, limit) => {
		const { items: logs, hints } = await listed(limit);
		expect(logs.length).toBeGreaterThan(2);
		expect(hints).toEqual([]);
	});
});

test('a price that is too old is said to be stale', async () => {
	const feed = await deployContract(sandbox, 'Feed', { file: 'Feeds' });
	const data = feed.data('setRound(uint80,int256,uint256,uint80)', 1n, 5n, 1n, 1n);
	await sandbox.mined({ from: feed.owner, to: feed.address, data });
	const get = { resource: 'price', operation: 'get', feed: feed.address };
	const stale = await run(get, items({}, {}));
	expect(stale.items.map(({ json }) => json.isStale)).toEqual([true, true]);
	expect(stale.hints).toEqual([expect.stringMatching(/older than 'Max Age'/)]);
	const fresh = await run({ ...get, maxAge: 10_000_000_000 });
	expect(fresh.hints).toEqual([]);
});

describe('what was prepared', () => {
	const node = createFakeNode();
	/**
	 * Prepares two payments. The node has the given chain ID, and the given counts of transactions in blocks and of
	 * all transactions.
	 */
	async function prepare(chainId: string, mined: string, all: string, nonce?: string) {
		node.setAnswers({
			eth_chainId: () => chainId,
			eth_gasPrice: () => '0x1',
			eth_getCode: () => '0x',
			eth_estimateGas: () => '0x5208',
			eth_getBalance: () => '0xffffffffffffffffffff',
			eth_getTransactionCount: ({ params: [, block] }) => (block === 'latest' ? mined : all),
			eth_getBlockByNumber: (call) => ({ ...(node.truth(call) as object), baseFeePerGas: '0x1' }),
			eth_feeHistory: () => ({ baseFeePerGas: ['0x1', '0x1'], reward: [['0x1', '0x1', '0x1']] }),
			eth_maxPriorityFeePerGas: () => '0x1',
		});
		const payment = {
			from,
			to: from,
			amount: '0.1',
			options: nonce === undefined ? {} : { nonce },
		};
		const {
			items: prepared,
			hints,
			error,
		} = await run(
			{ resource: 'transaction', operation: 'prepare', ...payment },
			{ credentials: node.credentials, ...items({}, {}) },
		);
		expect(error?.message).toBeUndefined();
		expect(prepared).toHaveLength(2);
		return hints;
	}

	test.each([
		['twenty transactions wait', '0x5', '0x19', [/^20 transactions of 0xdbF0\w+ are in no block/]],
		['nineteen wait', '0x5', '0x18', []],
	])('%s before it', async (_which, mined, all, words) => {
		const expected = words.map((one): unknown => expect.stringMatching(one));
		expect(await prepare('0x1', mined, all)).toEqual(expected);
	});

	test('of a chosen nonce nothing is counted', async () => {
		expect(await prepare('0x1', '0x5', '0x50', '7')).toEqual([]);
	});

	test('is reported as one for a test chain, once', async () => {
		expect(await prepare('0xaa36a7', '0x0', '0x0')).toEqual([
			'The chain is a test network, Sepolia: payments there are worth nothing.',
		]);
	});
});

describe('transfers of TON', () => {
	const prepareTon = async (count: number, more: INodeParameters = {}) => {
		const { payer, receiver } = await buildTonScene(sandbox.control);
		const {
			items: prepared,
			hints,
			error,
		} = await runNode({
			node: new Ton(),
			parameters: {
				resource: 'transaction',
				operation: 'prepare',
				from: payer,
				to: receiver,
				amount: '0.01',
				...more,
			},
			credentials: sandbox.credentials.token,
			...items(...Array.from({ length: count }, () => ({}))),
		});
		expect(error?.message).toBeUndefined();
		expect(prepared).toHaveLength(count);
		return hints;
	};
	const asTestOnly = (address: string) =>
		Address.parse(address).toString({ bounceable: false, testOnly: true });

	test.each(['from', 'to'])('are said once to be of a test network where %s is', async (field) => {
		const { payer, receiver } = await buildTonScene(sandbox.control);
		const given = asTestOnly(field === 'from' ? payer : receiver);
		expect(await prepareTon(2, { [field]: given })).toEqual([
			expect.stringMatching(/of a test network: payments there are worth nothing/),
		]);
	});

	test('are said once to come too late, if the ones before them take as long as they are valid', async () => {
		expect(await prepareTon(2, { options: { validFor: 20 } })).toEqual([]);
		expect(await prepareTon(4, { options: { validFor: 20 } })).toEqual([
			expect.stringMatching(/^The transfers of a wallet are made one after another/),
		]);
		expect(await prepareTon(4, { options: { validFor: 20, seqno: '900' } })).toEqual([]);
	});
});
