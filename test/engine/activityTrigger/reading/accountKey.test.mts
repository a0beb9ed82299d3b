import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { encodeFunctionData, type Abi } from 'viem';
import { deployContract } from '../../../harness/contract.mts';
import {
	deposit,
	watchingKey,
	ACCOUNT_KEY,
	TEST_ACCOUNT_KEY,
} from '../../../harness/accountKey.mts';
import { TRIES_ALL } from '../../../harness/caseCount.mts';
import { numberToHex } from '../../../harness/evmChain.mts';
import { createWorld } from '../support/world.mts';

/** These tests check a trigger that watches the addresses of many orders, all derived from one account key. */

const world = createWorld();
type Contract = Awaited<ReturnType<typeof deployContract>>;

let coin: Contract;
let other: Contract;
let relay: Contract;

beforeAll(async () => {
	coin = await deployContract(world.sandbox, 'Coin', { file: 'Tokens' });
	other = await deployContract(world.sandbox, 'Coin', { file: 'Tokens' });
	relay = await deployContract(world.sandbox, 'Relay');
});

const transferOf = (token: Contract, to: string, amount: number) => ({
	from: token.owner,
	to: token.address,
	gas: numberToHex(500_000),
	data: encodeFunctionData({
		abi: token.abi as Abi,
		functionName: 'transfer',
		args: [to, amount],
	}),
});

const pay = async (token: Contract, to: string, amount: number) =>
	await world.sandbox.mined(transferOf(token, to, amount));

const payCoins = async (to: string, wei: number) =>
	await world.sandbox.mined({ from: world.account(1), to, value: numberToHex(wei) });

const receiving = (count: number, more: INodeParameters = {}): INodeParameters => ({
	event: 'tokenTransfer',
	tokens: coin.address,
	...watchingKey(count),
	...more,
});

const received = (items: readonly IDataObject[]) =>
	items.map(
		({ depositIndex, value, removed }) =>
			`${removed ? '-' : '+'}${String(value)} at ${String(depositIndex)}`,
	);

/**
 * With 10 addresses, the chain node filters the transfers by address. With 150 addresses, the trigger requests all
 * transfers of the tokens.
 */
describe.each([10, 150])('of %i addresses', (count) => {
	test('receipts of the tokens come with the index of their address, and nothing else', async () => {
		const workflow = await world.active(receiving(count));
		await pay(coin, deposit(0), 10);
		await pay(other, deposit(0), 11);
		await pay(coin, deposit(count), 12);
		await pay(coin, deposit(3), 0);
		await pay(coin, world.account(5), 13);
		await pay(coin, deposit(count - 1), 14);
		const { items, error } = await workflow.poll();
		expect(error).toBeUndefined();
		expect(received(items)).toEqual(['+10 at 0', `+14 at ${count - 1}`]);
		expect(items[0]).toMatchObject({
			symbol: 'TC€',
			amount: '0.00001',
			chain: 'evm',
			comment: null,
		});
	});

	test('one that a reorganization takes back says of which address', async () => {
		const workflow = await world.active(receiving(count));
		await pay(coin, deposit(1), 20);
		expect(received((await workflow.poll()).items)).toEqual(['+20 at 1']);
		await world.reorganize(1, transferOf(coin, deposit(2), 21));
		await world.mine(1);
		expect(received((await workflow.poll()).items)).toEqual(['-20 at 1', '+21 at 2']);
	});

	test('the smallest payments are left out by the amount', async () => {
		const workflow = await world.active(receiving(count, { options: { minAmount: '0.00003' } }));
		await pay(coin, deposit(1), 29);
		await pay(coin, deposit(1), 30);
		expect(received((await workflow.poll()).items)).toEqual(['+30 at 1']);
	});
});

test('more addresses lose and repeat nothing, and tell nothing of before', async () => {
	const workflow = await world.active(receiving(2));
	await pay(coin, deposit(1), 1);
	await pay(coin, deposit(2), 2);
	expect(received((await workflow.poll()).items)).toEqual(['+1 at 1']);
	await pay(coin, deposit(0), 3);
	await pay(coin, deposit(2), 4);
	const raised = world.workflow(receiving(200), { saved: workflow.saved() });
	expect(received((await raised.activate()).items)).toEqual(['+3 at 0', '+4 at 2']);
	await pay(coin, deposit(199), 5);
	expect(received((await raised.poll()).items)).toEqual(['+5 at 199']);
	const lowered = world.workflow(receiving(100), { saved: raised.saved() });
	await pay(coin, deposit(1), 6);
	expect((await lowered.activate()).items).toEqual([]);
	await pay(coin, deposit(1), 7);
	expect(received((await lowered.poll()).items)).toEqual(['+7 at 1']);
});

test('many addresses take no more requests than one', async () => {
	const countCalls = async (count: number) => {
		const workflow = await world.active(receiving(count));
		await pay(coin, deposit(0), 1);
		await world.mine(3);
		const before = (await world.calls()).length;
		expect((await workflow.poll()).items).toHaveLength(1);
		return (await world.calls())
			.slice(before)
			.map(({ method }) => method)
			.sort();
	};
	const one = await countCalls(1);
	expect(await countCalls(2_000)).toEqual(one);
});

test('until all addresses are derived, polls move nothing; then all comes', async () => {
	const first = 500_000;
	const count = TRIES_ALL ? 20_000 : 2_000;
	const few = await world.active(receiving(2, { firstIndex: first }));
	await pay(coin, deposit(first), 8);
	const parameters = receiving(count, { firstIndex: first });
	const begun = world.workflow(parameters, { budget: 1 });
	const raised = world.workflow(parameters, { saved: few.saved(), budget: 1 });
	for (const hurried of [begun, raised])
		expect(await hurried.activate()).toEqual({ items: [], error: undefined });
	const positions = [begun, raised].map((hurried) => hurried.inMemory());
	await pay(coin, deposit(first + count - 1), 9);
	for (const hurried of [begun, raised])
		expect(await hurried.poll()).toEqual({ items: [], error: undefined });
	expect([begun, raised].map((hurried) => hurried.inMemory())).toEqual(positions);
	const readAll = async (saved: string) =>
		received((await world.workflow(parameters, { saved }).poll()).items);
	const last = `+9 at ${first + count - 1}`;
	expect(await readAll(begun.saved())).toEqual([last]);
	expect(await readAll(raised.saved())).toEqual([`+8 at ${first}`, last]);
});

test('after more addresses, a reorganization takes back what came before them', async () => {
	const workflow = await world.active(receiving(5));
	await pay(coin, deposit(1), 50);
	expect(received((await workflow.poll()).items)).toEqual(['+50 at 1']);
	await world.reorganize(1, transferOf(coin, deposit(7), 51));
	await world.mine(1);
	const raised = world.workflow(receiving(10), { saved: workflow.saved() });
	expect(received((await raised.activate()).items)).toEqual(['-50 at 1', '+51 at 7']);
});

test('the same key in the text of a test network is another one', async () => {
	const workflow = await world.active(receiving(5));
	await pay(coin, deposit(1), 60);
	const edited = world.workflow(receiving(5, { accountKey: TEST_ACCOUNT_KEY }), {
		saved: workflow.saved(),
	});
	expect((await edited.activate()).items).toEqual([]);
	await pay(coin, deposit(1), 61);
	expect(received((await edited.poll()).items)).toEqual(['+61 at 1']);
});

describe('coins', () => {
	const watching = (count: number): INodeParameters => ({
		event: 'addressActivity',
		...watchingKey(count),
	});

	test('that arrive at an address come with its index, also from a contract; what moves nothing does not', async () => {
		const workflow = await world.active(watching(20));
		await payCoins(deposit(4), 40);
		await payCoins(deposit(4), 0);
		await payCoins(deposit(20), 41);
		const data = relay.data('pass(address)', BigInt(deposit(19)));
		await world.sandbox.mined({
			from: world.account(1),
			to: relay.address,
			data,
			value: numberToHex(42),
			gas: numberToHex(500_000),
		});
		const { items, error } = await workflow.poll();
		expect(error).toBeUndefined();
		expect(received(items)).toEqual(['+40 at 4', '+42 at 19']);
	});

	test('that a reorganization takes back say of which address', async () => {
		const workflow = await world.active(watching(20));
		await payCoins(deposit(3), 70);
		expect(received((await workflow.poll()).items)).toEqual(['+70 at 3']);
		await world.reorganize(1, {
			from: world.account(1),
			to: deposit(4),
			value: numberToHex(71),
			gas: numberToHex(500_000),
		});
		await world.mine(1);
		expect(received((await workflow.poll()).items)).toEqual(['-70 at 3', '+71 at 4']);
	});

	test('that do not arrive are no receipt, even where what was undone is included', async () => {
		const workflow = await world.active({ ...watching(20), options: { includeReverted: true } });
		const forger = await deployContract(world.sandbox, 'Forger');
		for (const method of ['payAndRevert', 'payAndRevertWithin', 'delegate', 'callCode']) {
			await world.sandbox.mined({
				from: forger.owner,
				to: forger.address,
				value: numberToHex(80),
				data: forger.data(`${method}(address)`, BigInt(deposit(2))),
				gas: numberToHex(500_000),
			});
		}
		await payCoins(deposit(2), 81);
		expect(received((await workflow.poll()).items)).toEqual(['+81 at 2']);
	});

	test('of more than 1000 addresses are refused', async () => {
		await expect(world.workflow(watching(1001)).activate()).rejects.toThrow(
			"'Address Count' must be at most 1000 for this event; got 1001",
		);
	});
});

test.each<[string, INodeParameters, RegExp]>([
	['no token', { tokens: '' }, /^'Tokens' is required/],
	['a list of no token', { tokens: ',' }, /^'Tokens' must be at least one address of a token/],
	['no key', { accountKey: '' }, /^'Account Key' is required/],
	['another key', { accountKey: ACCOUNT_KEY.slice(0, -1) }, /^'Account Key' must be an extended/],
	['no address', { addressCount: 0 }, /^'Address Count' must be a whole number, 1 to 100000/],
	['too many', { addressCount: 100_001 }, /^'Address Count' must be a whole number, 1 to 100000/],
	[
		'indexes that do not exist',
		{ firstIndex: 2 ** 31 - 5 },
		/^'First Index' must be at most 2147483638 with this 'Address Count'; got 2147483643/,
	],
])('%s is refused when the workflow is activated', async (_what, changed, message) => {
	await expect(world.workflow(receiving(10, changed)).activate()).rejects.toThrow(message);
});

test('a private key is refused before all else, and stands nowhere in the error', async () => {
	const secret =
		'abandon ability able about above absent absorb abstract absurd abuse access accident';
	const workflow = world.workflow(receiving(10, { accountKey: secret, tokens: '' }));
	const error = (await workflow.activate().catch((failure: unknown) => failure)) as Error;
	expect(error.message).toContain('a private key does not belong here');
	const shown = JSON.stringify([error.message, { ...error }, error.stack]);
	for (const word of secret.split(' ')) expect(shown).not.toContain(` ${word} `);
	expect(await world.calls()).toEqual([]);
});
