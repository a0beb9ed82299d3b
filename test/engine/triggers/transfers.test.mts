import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { encodeFunctionData, getAddress, type Abi } from 'viem';
import { deployContract } from '../../harness/contract.mts';
import { numberToHex } from '../../harness/evmChain.mts';
import { createSandboxChain } from '../../harness/sandboxChain.mts';
import { DRIVERS } from './support/driver.mts';

const chain = createSandboxChain();

type Contract = Awaited<ReturnType<typeof deployContract>>;

const [PAYEE, OTHER_PAYEE] = ['a1', 'b2'].map((end) => `0x${end.padStart(40, '0')}`) as [
	string,
	string,
];

const call = ({ address, owner, abi }: Contract, functionName: string, ...args: unknown[]) => ({
	from: owner,
	to: address,
	gas: numberToHex(500_000),
	data: encodeFunctionData({ abi: abi as Abi, functionName, args }),
});
const send = async (...parts: Parameters<typeof call>) => await chain.sandbox.mined(call(...parts));

/** Gives the fields of an item that describe the latest block and its transaction. */
async function placeOf(transactionHash: string) {
	const block = (await chain.sandbox.chain('eth_getBlockByNumber', 'latest', false)) as IDataObject;
	return {
		blockNumber: Number(block.number),
		blockHash: block.hash,
		transactionHash,
		logIndex: 0,
		timestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
		removed: false,
	};
}

let coin: Contract;
let old: Contract;
let hostile: Contract;
let collectible: Contract;
let collection: Contract;
let editions: Contract;
let early: Contract;

beforeAll(async () => {
	const put = async (file: string, name: string) =>
		await deployContract(chain.sandbox, name, { file });
	[coin, old] = [await put('Tokens', 'Coin'), await put('Tokens', 'Coin')];
	[hostile, collectible] = [await put('Tokens', 'Hostile'), await put('Tokens', 'Collectible')];
	[collection, editions] = [await put('Nfts', 'Collection'), await put('Nfts', 'Editions')];
	early = await put('Nfts', 'Early');
	for (const id of [1n, 2n]) await send(editions, 'mint', editions.owner, id, 100n);
});

const pay = async (token: Contract, to: string, amount: number) =>
	await send(token, 'transfer', to, amount);
const give = (id: bigint, to = PAYEE) => call(collection, 'transferFrom', collection.owner, to, id);
const batch = (ids: bigint[], values: bigint[]) =>
	call(editions, 'safeBatchTransferFrom', editions.owner, PAYEE, ids, values, '0x');

const amounts = (items: readonly IDataObject[]) =>
	items.map(({ amount, removed }) => `${removed ? '-' : '+'}${String(amount)}`);
const moves = (items: readonly IDataObject[]) =>
	items.map(
		({ tokenId, quantity, removed }) =>
			`${removed ? '-' : '+'}${String(quantity)} of ${String(tokenId)}`,
	);

describe.each(DRIVERS)('transfers of tokens by %s', (_by, createDriver) => {
	const driver = createDriver();
	const start = async (parameters: INodeParameters = {}) =>
		await driver.start({ event: 'tokenTransfer', ...parameters }, chain.sandbox.credentials.token);

	test('transfers come in whole coins, with the time of their block; the facts of a token are asked once, and no traces', async () => {
		const trigger = await start({ tokens: coin.address, accounts: PAYEE });
		await pay(coin, PAYEE, 1_500_000);
		const { transactionHash } = await pay(coin, PAYEE, 2);
		const place = await placeOf(transactionHash);
		const items = await trigger.readAll(2);
		expect(amounts(items)).toEqual(['+1.5', '+0.000002']);
		expect(items[1]).toEqual({
			key: expect.stringMatching(/^0x[0-9a-f]{64}:[0-9a-f]{32}$/),
			chain: 'evm',
			comment: null,
			token: getAddress(coin.address),
			symbol: 'TC€',
			decimals: 6,
			from: getAddress(coin.owner),
			to: getAddress(PAYEE),
			value: '2',
			amount: '0.000002',
			...place,
		});
		const methods = (await chain.calls()).map(({ method }) => method);
		expect(methods.filter((method) => method === 'eth_call')).toHaveLength(2);
		expect(methods.filter((method) => method.startsWith('trace'))).toEqual([]);
		expect(trigger.failures).toEqual([]);
	});

	/** Parameters of the trigger, with the numbers of the transfers that match them. */
	const choices: Array<[what: string, parameters: () => INodeParameters, wanted: number[]]> = [
		['none', () => ({}), [1, 2, 3, 4]],
		['a token', () => ({ tokens: old.address }), [3]],
		['an account', () => ({ accounts: PAYEE }), [1, 3]],
		['accounts', () => ({ accounts: [PAYEE, OTHER_PAYEE] }), [1, 2, 3]],
		['senders', () => ({ accounts: [PAYEE, coin.owner], direction: 'from' }), [1, 2, 3, 4]],
		['recipients', () => ({ accounts: [PAYEE, coin.owner], direction: 'to' }), [1, 3, 4]],
		['a token and an account', () => ({ tokens: coin.address, accounts: PAYEE }), [1]],
	];

	test('only transfers of these tokens, from or to these accounts, come, each once', async () => {
		const triggers = await Promise.all(choices.map(async ([, one]) => await start(one())));
		await pay(coin, PAYEE, 1);
		await pay(coin, OTHER_PAYEE, 2);
		await pay(collectible, PAYEE, 9);
		await pay(old, PAYEE, 3);
		await pay(coin, coin.owner, 4);
		const came = await Promise.all(
			choices.map(async ([what, , wanted], at) => [
				what,
				(await triggers[at]?.readAll(wanted.length))?.map(({ value }) => Number(value)),
			]),
		);
		expect(came).toEqual(choices.map(([what, , wanted]) => [what, wanted]));
	});

	test('a token that does not answer as one does holds up nothing', async () => {
		const trigger = await start({ accounts: PAYEE });
		await send(hostile, 'send', PAYEE);
		await pay(coin, PAYEE, 5);
		const items = await trigger.readAll(2);
		expect(items.map(({ symbol, decimals, amount }) => [symbol, decimals, amount])).toEqual([
			[null, null, null],
			['TC€', 6, '0.000005'],
		]);
		expect(items[0]?.value).toBe((2n ** 256n - 1n).toString());
	});

	test('a reorganization takes them back, the latest first, and brings those of other blocks again', async () => {
		const trigger = await start({ tokens: coin.address });
		await pay(coin, PAYEE, 10);
		await pay(coin, PAYEE, 11);
		const before = structuredClone(await trigger.readAll(2));
		const warn = jest.spyOn(Container.get(Logger), 'warn');
		await chain.reorganize(
			2,
			call(coin, 'transfer', PAYEE, 11),
			call(coin, 'transfer', OTHER_PAYEE, 12),
		);
		await chain.mine(1);
		const items = await trigger.readAll(6);
		expect(amounts(items)).toEqual([
			'+0.00001',
			'+0.000011',
			'-0.000011',
			'-0.00001',
			'+0.000011',
			'+0.000012',
		]);
		expect(items.slice(2, 4)).toEqual(before.map((item) => ({ ...item, removed: true })).reverse());
		const names = items.map(({ key }) => key);
		expect(new Set(names).size).toBe(names.length - 2);
		expect(warn.mock.calls.flat().join()).toMatch(/A reorganization took back reported events/);
		warn.mockRestore();
	});
});

describe.each(DRIVERS)('transfers of NFTs by %s', (by, createDriver) => {
	const driver = createDriver();
	const start = async (parameters: INodeParameters = {}) =>
		await driver.start({ event: 'nftTransfer', ...parameters }, chain.sandbox.credentials.token);

	test('each token of a batch is an item, with the time of its block, and no contract is asked', async () => {
		const trigger = await start({ contracts: editions.address, accounts: PAYEE });
		const { transactionHash } = await chain.sandbox.mined(batch([2n, 1n, 2n], [3n, 0n, 1n]));
		const place = await placeOf(transactionHash);
		const items = await trigger.readAll(3);
		expect(moves(items)).toEqual(['+3 of 2', '+0 of 1', '+1 of 2']);
		expect(items[0]).toEqual({
			contract: getAddress(editions.address),
			standard: 'ERC-1155',
			tokenId: '2',
			quantity: '3',
			operator: getAddress(editions.owner),
			from: getAddress(editions.owner),
			to: getAddress(PAYEE),
			...place,
		});
		expect((await chain.calls()).map(({ method }) => method)).not.toContain('eth_call');
	});

	test('only NFTs, of these contracts and accounts, come, one to itself once', async () => {
		const id = BigInt(DRIVERS.findIndex(([one]) => one === by) + 10);
		await send(collection, 'mint', collection.owner, id, '');
		const all = await start();
		const ours = await start({ accounts: [PAYEE, collection.owner] });
		const received = await start({ accounts: PAYEE, direction: 'to' });
		const some = await start({ contracts: [editions.address] });
		await chain.sandbox.mined(give(id, collection.owner));
		await pay(coin, PAYEE, 1);
		await send(early, 'give', PAYEE, 3n);
		await chain.sandbox.mined(give(id));
		await chain.sandbox.mined(batch([1n], [5n]));
		const wanted = [`+1 of ${id}`, `+1 of ${id}`, '+5 of 1'];
		expect(moves(await all.readAll(3))).toEqual(wanted);
		expect(moves(await ours.readAll(3))).toEqual(wanted);
		expect(moves(await received.readAll(2))).toEqual(wanted.slice(1));
		expect(moves(await some.readAll(1))).toEqual(wanted.slice(2));
	});

	test('a reorganization takes all tokens of a batch back, the latest first', async () => {
		const trigger = await start({ contracts: editions.address });
		await chain.sandbox.mined(batch([1n, 2n], [4n, 5n]));
		await trigger.readAll(2);
		await chain.reorganize(1, batch([2n, 1n], [6n, 7n]));
		await chain.mine(1);
		expect(moves(await trigger.readAll(6))).toEqual([
			'+4 of 1',
			'+5 of 2',
			'-5 of 2',
			'-4 of 1',
			'+6 of 2',
			'+7 of 1',
		]);
	});
});
