import type { IDataObject } from 'n8n-workflow';
import { getAddress } from 'viem';
import { deployContract } from '../../../harness/contract.mts';
import { createWorld } from '../support/world.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;

const world = createWorld();
let coin: Contract;
let hostile: Contract;

beforeAll(async () => {
	coin = await deployContract(world.sandbox, 'Coin', { file: 'Tokens' });
	hostile = await deployContract(world.sandbox, 'Hostile', { file: 'Tokens' });
});

const payee = `0x${'a1'.padStart(40, '0')}`;

const transfer = (amount: number) => ({
	from: coin.owner,
	to: coin.address,
	data: coin.data('transfer(address,uint256)', BigInt(payee), amount),
	gas: '0x30d40',
});
const pay = async (amount: number) => await world.sandbox.mined(transfer(amount));
const transfers = (parameters: IDataObject = {}) => ({
	event: 'tokenTransfer',
	tokens: coin.address,
	accounts: payee,
	...parameters,
});
const amounts = (items: readonly IDataObject[]) =>
	items.map(({ amount, removed }) => `${removed ? '-' : '+'}${String(amount)}`);

test('transfers are emitted in whole coins, with the time of their block, without any traces', async () => {
	const workflow = await world.active(transfers());
	await pay(1_500_000);
	const { transactionHash } = await pay(2);
	const block = (await world.sandbox.chain('eth_getBlockByNumber', 'latest', false)) as IDataObject;
	const { items } = await workflow.poll();
	expect(amounts(items)).toEqual(['+1.5', '+0.000002']);
	expect(items[1]).toEqual({
		token: getAddress(coin.address),
		symbol: 'TC€',
		decimals: 6,
		from: getAddress(coin.owner),
		to: getAddress(payee),
		value: '2',
		amount: '0.000002',
		blockNumber: Number(block.number),
		blockHash: block.hash,
		transactionHash,
		logIndex: 0,
		timestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
		removed: false,
	});
	const methods = (await world.calls()).map(({ method }) => method);
	expect(methods.filter((method) => method.startsWith('trace'))).toEqual([]);
	expect(methods.filter((method) => method === 'eth_call')).toHaveLength(2);
	expect(await workflow.poll()).toEqual({ items: [], error: undefined });
});

test('those of a token that does not answer as one does come too', async () => {
	const workflow = await world.active(transfers({ tokens: '' }));
	const data = hostile.data('send(address)', BigInt(payee));
	await world.sandbox.mined({ from: coin.owner, to: hostile.address, data });
	const { items } = await workflow.poll();
	expect(items).toMatchObject([{ symbol: null, decimals: null, amount: null }]);
});

test('a token over which the node fails is emitted all the same; when all fails, the poll does', async () => {
	const workflow = await world.active(transfers({ options: { maxRetries: 0 } }));
	await pay(3);
	const down = { room: 'node', times: -1, do: { status: 503 } };
	await world.sandbox.fault(down);
	expect((await workflow.poll()).error).toBeDefined();
	await world.sandbox.control('DELETE', '/faults');
	await world.sandbox.fault({ ...down, rpcMethod: 'eth_call' });
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	expect(items).toMatchObject([{ value: '3', symbol: null, decimals: null, amount: null }]);
});

test('the other side of a transfer is left out', async () => {
	const workflow = await world.active(transfers({ direction: 'from' }));
	await pay(3);
	expect((await workflow.poll()).items).toEqual([]);
});

test('a reorganization takes transfers back', async () => {
	const workflow = await world.active(transfers());
	await pay(4);
	expect(amounts((await workflow.poll()).items)).toEqual(['+0.000004']);
	await world.sandbox.chain('anvil_reorg', 1, [[transfer(5), 0]]);
	await world.mine(1);
	expect(amounts((await workflow.poll()).items)).toEqual(['-0.000004', '+0.000005']);
});

test('a node that searches few blocks at a time is asked for fewer', async () => {
	const workflow = await world.active(transfers());
	await pay(6);
	await world.mine(60);
	await pay(7);
	await world.sandbox.control('PUT', '/searches', {
		maxBlocks: 10,
		refusal: { code: -32602, message: 'range {width} exceeds limit of {max}' },
	});
	expect(amounts((await workflow.poll()).items)).toEqual(['+0.000006', '+0.000007']);
});

test('by hand it shows the latest one', async () => {
	await pay(8);
	await world.mine(5);
	expect((await world.manually(transfers())).items[0]?.json).toMatchObject({ amount: '0.000008' });
});
