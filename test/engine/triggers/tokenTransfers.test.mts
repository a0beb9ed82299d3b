import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { getAddress } from 'viem';
import { deployContract } from '../../harness/contract.mts';
import { numberToHex } from '../../harness/fakeNode.mts';
import { createSandboxChain } from '../../harness/sandboxChain.mts';
import { DRIVERS } from './support/driver.mts';

const chain = createSandboxChain();

type Contract = Awaited<ReturnType<typeof deployContract>>;

let coin: Contract;
let old: Contract;
let hostile: Contract;
let collectible: Contract;

beforeAll(async () => {
	const put = async (name: string) => await deployContract(chain.sandbox, name, { file: 'Tokens' });
	[coin, old] = [await put('Coin'), await put('Coin')];
	[hostile, collectible] = [await put('Hostile'), await put('Collectible')];
});

const [PAYEE, OTHER_PAYEE] = ['a1', 'b2'].map((end) => `0x${end.padStart(40, '0')}`) as [
	string,
	string,
];

const transfer = ({ address, owner, data }: Contract, to: string, amount: number) => ({
	from: owner,
	to: address,
	data: data('transfer(address,uint256)', BigInt(to), amount),
	gas: numberToHex(200_000),
});
const pay = async (...parts: Parameters<typeof transfer>) =>
	await chain.sandbox.mined(transfer(...parts));
const amounts = (items: readonly IDataObject[]) =>
	items.map(({ amount, removed }) => `${removed ? '-' : '+'}${String(amount)}`);

describe.each(DRIVERS)('by %s', (_by, createDriver) => {
	const driver = createDriver();
	const start = async (parameters: INodeParameters = {}) =>
		await driver.start({ event: 'tokenTransfer', ...parameters }, chain.sandbox.credentials.token);

	test('transfers come in whole coins, with the time of their block; the facts of a token are asked once, and no traces', async () => {
		const trigger = await start({ tokens: coin.address, accounts: PAYEE });
		await pay(coin, PAYEE, 1_500_000);
		const { transactionHash } = await pay(coin, PAYEE, 2);
		const block = (await chain.sandbox.chain(
			'eth_getBlockByNumber',
			'latest',
			false,
		)) as IDataObject;
		const items = await trigger.readAll(2);
		expect(amounts(items)).toEqual(['+1.5', '+0.000002']);
		expect(items[1]).toEqual({
			token: getAddress(coin.address),
			symbol: 'TC€',
			decimals: 6,
			from: getAddress(coin.owner),
			to: getAddress(PAYEE),
			value: '2',
			amount: '0.000002',
			blockNumber: Number(block.number),
			blockHash: block.hash,
			transactionHash,
			logIndex: 0,
			timestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
			removed: false,
		});
		const methods = (await chain.calls()).map(({ method }) => method);
		expect(methods.filter((method) => method === 'eth_call')).toHaveLength(2);
		expect(methods.filter((method) => method.startsWith('trace'))).toEqual([]);
		expect(trigger.failures).toEqual([]);
	});

	/** Parameters, and the transfers that match each. */
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
		const data = hostile.data('send(address)', BigInt(PAYEE));
		await chain.sandbox.mined({ from: coin.owner, to: hostile.address, data });
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
		await chain.reorganize(2, transfer(coin, PAYEE, 11), transfer(coin, OTHER_PAYEE, 12));
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
	});
});
