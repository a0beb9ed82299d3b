import type { IDataObject } from 'n8n-workflow';
import { getAddress } from 'viem';
import { deployContract } from '../../../harness/contract.mts';
import { numberToHex, moment, scene } from '../support/scene.mts';

const { sandbox, on, active, drop, set } = scene();

type Contract = Awaited<ReturnType<typeof deployContract>>;

let coin: Contract;
let old: Contract;
let hostile: Contract;
let collectible: Contract;

beforeAll(async () => {
	const put = async (name: string) => await deployContract(sandbox(), name, { file: 'Tokens' });
	[coin, old] = [await put('Coin'), await put('Coin')];
	[hostile, collectible] = [await put('Hostile'), await put('Collectible')];
});

const [payee, otherPayee] = ['a1', 'b2'].map((end) => `0x${end.padStart(40, '0')}`) as [
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
	await sandbox().mined(transfer(...parts));
const transfers = (parameters: IDataObject = {}) => on({ event: 'tokenTransfer', ...parameters });
const amounts = (items: readonly IDataObject[]) => items.map(({ amount }) => amount);

test('a transfer is emitted in whole coins, with the time of its block', async () => {
	const trigger = await active(transfers({ tokens: coin.address, accounts: payee }));
	const { transactionHash } = await pay(coin, payee, 1_500_000);
	const block = (await sandbox().chain('eth_getBlockByNumber', 'latest', false)) as IDataObject;
	expect(await trigger.has(1)).toEqual([
		{
			token: getAddress(coin.address),
			symbol: 'TC€',
			decimals: 6,
			from: getAddress(coin.owner),
			to: getAddress(payee),
			value: '1500000',
			amount: '1.5',
			blockNumber: Number(block.number),
			blockHash: block.hash,
			transactionHash,
			logIndex: 0,
			timestamp: new Date(Number(block.timestamp) * 1000).toISOString(),
			removed: false,
		},
	]);
});

/** Parameters, and the transfers that match each. */
const choices: Array<[what: string, parameters: () => IDataObject, wanted: string[]]> = [
	['none', () => ({}), ['0.000001', '0.000002', '0.000003', '0.000004']],
	['a token', () => ({ tokens: old.address }), ['0.000003']],
	['an account', () => ({ accounts: payee }), ['0.000001', '0.000003']],
	['accounts', () => ({ accounts: [payee, otherPayee] }), ['0.000001', '0.000002', '0.000003']],
	[
		'senders',
		() => ({ accounts: [payee, coin.owner], direction: 'from' }),
		['0.000001', '0.000002', '0.000003', '0.000004'],
	],
	[
		'recipients',
		() => ({ accounts: [payee, coin.owner], direction: 'to' }),
		['0.000001', '0.000003', '0.000004'],
	],
	['a token and an account', () => ({ tokens: coin.address, accounts: payee }), ['0.000001']],
];

test('only transfers of these tokens, from or to these accounts, come, each once', async () => {
	const triggers = await Promise.all(
		choices.map(async ([, one]) => await active(transfers(one()))),
	);
	await pay(coin, payee, 1);
	await pay(coin, otherPayee, 2);
	await pay(collectible, payee, 9);
	await pay(old, payee, 3);
	await pay(coin, coin.owner, 4);
	await Promise.all(
		choices.map(async ([, , wanted], at) => await triggers[at]?.has(wanted.length)),
	);
	await moment(100);
	const came = choices.map(([what], at) => [what, amounts(triggers[at]?.items() ?? [])]);
	expect(came).toEqual(choices.map(([what, , wanted]) => [what, wanted]));
});

test('a token that does not answer as one does holds up nothing', async () => {
	const trigger = await active(transfers({ accounts: payee }));
	const data = hostile.data('send(address)', BigInt(payee));
	await sandbox().mined({ from: coin.owner, to: hostile.address, data });
	await pay(coin, payee, 5);
	const items = await trigger.has(2);
	expect(items.map(({ symbol, decimals, amount }) => [symbol, decimals, amount])).toEqual([
		[null, null, null],
		['TC€', 6, '0.000005'],
	]);
	expect(items[0]?.value).toBe((2n ** 256n - 1n).toString());
});

test('what was missed is read afterwards, and the facts of a token are asked once', async () => {
	const trigger = await active(transfers({ tokens: coin.address }));
	await pay(coin, payee, 6);
	await trigger.has(1);
	await set({ mute: true });
	await drop('reset');
	await pay(coin, payee, 7);
	await pay(coin, otherPayee, 8);
	expect(amounts(await trigger.has(3))).toEqual(['0.000006', '0.000007', '0.000008']);
	const asked = (await sandbox().record()).filter(({ body }) =>
		JSON.stringify(body).includes('eth_call'),
	);
	expect(asked).toHaveLength(2);
});

test('a reorganization takes transfers back', async () => {
	const trigger = await active(transfers({ tokens: coin.address }));
	await pay(coin, payee, 10);
	await trigger.has(1);
	await sandbox().chain('anvil_reorg', 1, [[transfer(coin, otherPayee, 11), 0]]);
	await sandbox().chain('evm_mine');
	const items = await trigger.has(3);
	expect(items.map(({ removed, amount }) => [removed, amount])).toEqual([
		[false, '0.00001'],
		[true, '0.00001'],
		[false, '0.000011'],
	]);
});
