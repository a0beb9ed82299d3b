import { getAddress, HDNodeWallet, parseUnits } from 'ethers';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ActivityTrigger } from '../../nodes/ActivityTrigger/ActivityTrigger.node';
import { Utilities } from '../../nodes/Utilities/Utilities.node';
import { ACCOUNT_KEY } from '../harness/accountKey.mts';
import { deployContract } from '../harness/contract.mts';
import { numberToHex } from '../harness/evmChain.mts';
import { createTables, openExample } from '../harness/exampleWorkflow.mts';
import { createPollingWorkflow } from '../harness/poll.mts';
import { createSandboxChain } from '../harness/sandboxChain.mts';

/**
 * These tests run two example workflows that sell goods. One gives each order an address, and the other notices the
 * payments.
 */

const { sandbox, account, mine, reorganize } = createSandboxChain();
type Contract = Awaited<ReturnType<typeof deployContract>>;
const DECIMALS = 6;

let coin: Contract;
beforeAll(async () => {
	coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
});

const transferTo = (to: string, amount: string) => ({
	from: coin.owner,
	to: coin.address,
	gas: numberToHex(200_000),
	data: coin.data('transfer(address,uint256)', BigInt(to), parseUnits(amount, DECIMALS)),
});
const pay = async (to: string, amount: string) => await sandbox.mined(transferTo(to, amount));

function readTriggerParameters(file: string, name: string): INodeParameters {
	const path = join(__dirname, '..', '..', 'examples', `${file}.json`);
	const { nodes } = JSON.parse(readFileSync(path, 'utf8')) as {
		nodes: Array<{ name: string; parameters: INodeParameters }>;
	};
	return nodes.find((node) => node.name === name)?.parameters ?? {};
}

async function openShop(minutes = 60) {
	const tables = createTables();
	const stage = { own: {}, credentials: {}, tables };
	const orders = openExample('an-address-for-each-order', {
		...stage,
		own: { 'n8n-nodes-chain-infra.utilities': new Utilities() },
	});
	const payments = openExample('tell-which-order-was-paid', stage);
	const settings = {
		accountKey: ACCOUNT_KEY,
		token: coin.address,
		decimals: DECIMALS,
		chainId: '31337',
		minutes,
		table: 'Orders',
	};
	const trigger = createPollingWorkflow({
		node: new ActivityTrigger(),
		credentials: sandbox.credentials.token,
		parameters: {
			...readTriggerParameters('tell-which-order-was-paid', 'Payment Arrives'),
			accountKey: ACCOUNT_KEY,
			addressCount: 100,
			tokens: coin.address,
			options: {},
		},
	});
	expect(await trigger.activate()).toEqual({ items: [], error: undefined });
	let messages: string[] = [];
	return {
		/** Lists the messages that the last poll led to. */
		readMessages: () => messages.toSorted(),
		orders: tables.open('Orders'),
		ask: async (body: unknown) => await orders.ask(settings, { body } as IDataObject),
		order: async (reference: string, amount: string) => {
			const { status, body } = await orders.ask(settings, { body: { reference, amount } });
			expect(status).toBe(200);
			return body as IDataObject & { order: number; address: string; link: string };
		},
		/**
		 * Polls, and runs the example with the new items. Returns the orders that are delivered, and those that a person
		 * must look at.
		 */
		poll: async () => {
			const { items, error } = await trigger.poll();
			expect(error).toBeUndefined();
			const reached = items.length > 0 ? await payments.runItems('Payment Arrives', items) : null;
			messages = (reached?.get('Verdict') ?? []).map(({ message }) => String(message));
			return {
				delivered: (reached?.get('Deliver') ?? []).map(({ order }) => order),
				looked: (reached?.get('Look at It') ?? []).map(
					({ order, verdict }) => `${String(verdict)} ${String(order)}`,
				),
			};
		},
	};
}

const addressOf = (order: number) =>
	HDNodeWallet.fromExtendedKey(ACCOUNT_KEY).derivePath(`0/${order}`).address;

test('each order has an address and a link of its own; the same reference has the same ones', async () => {
	const { ask, order, orders } = await openShop();
	const first = await order('A-1', '2.5');
	const second = await order('A-2', '2.5');
	expect([first.address, second.address]).toEqual([1, 2].map(addressOf));
	expect(first).toMatchObject({ order: 1, reference: 'A-1', status: 'waiting', amount: '2.5' });
	expect(first.link).toBe(
		`ethereum:${getAddress(coin.address)}@31337/transfer?address=${addressOf(1)}&uint256=2500000`,
	);
	expect(await order('A-1', '99')).toEqual(first);
	const { status, body } = await ask({ reference: 7, amount: 12.5 });
	expect([status, body]).toEqual([
		200,
		expect.objectContaining({ reference: '7', amount: '12.5', address: addressOf(3) }),
	]);
	expect(orders.map(({ id, reference }) => [id, reference])).toEqual([
		[1, 'A-1'],
		[2, 'A-2'],
		[3, '7'],
	]);
});

test.each([
	[{ reference: 'A-1', amount: '0' }, /a reference, and an amount above 0/],
	[{ reference: 'A-1', amount: '-1' }, /a reference, and an amount above 0/],
	[{ reference: 'A-1', amount: '1e3' }, /a reference, and an amount above 0/],
	[{ reference: 'A-1' }, /a reference, and an amount above 0/],
	[{ reference: ' ', amount: '1' }, /a reference, and an amount above 0/],
	[{ reference: { a: 1 }, amount: '1' }, /a reference, and an amount above 0/],
	[{}, /a reference, and an amount above 0/],
	[undefined, /a reference, and an amount above 0/],
	[{ reference: 'A-1', amount: '0.0000001' }, /'Amount'/],
])('of %p no order is made', async (body, message) => {
	const { ask, orders } = await openShop();
	const answer = await ask(body);
	expect(answer.status).toBe(400);
	expect((answer.body as IDataObject).error).toMatch(message);
	expect(orders).toEqual([]);
});

test('an order is delivered once it is paid, in parts too, and never again', async () => {
	const { order, poll } = await openShop();
	const [one, two] = [await order('A-1', '2.5'), await order('A-2', '2.5')];
	await pay(one.address, '1');
	await pay(two.address, '2.5');
	expect(await poll()).toEqual({ delivered: [2], looked: ['too little 1'] });
	await pay(one.address, '1.499999');
	expect(await poll()).toEqual({ delivered: [], looked: ['too little 1'] });
	await pay(one.address, '0.000001');
	expect(await poll()).toEqual({ delivered: [1], looked: [] });
	await pay(one.address, '2.5');
	expect(await poll()).toEqual({ delivered: [], looked: ['paid before 1'] });
});

test('two parts that come together are delivered once; more than was asked goes to a person, too', async () => {
	const { order, poll, readMessages } = await openShop();
	const [one, two] = [await order('A-1', '2.5'), await order('A-2', '1')];
	await pay(one.address, '2');
	await pay(two.address, '5');
	await pay(one.address, '0.5');
	const { delivered, looked } = await poll();
	expect([delivered.toSorted(), looked]).toEqual([[1, 2], ['too much 2']]);
	expect(readMessages()).toEqual([
		'Order 1 (A-1) costs 2.5: 2 + 0.5 came in time, 0 late',
		'Order 2 (A-2) costs 1: 5 came in time, 0 late',
	]);
	expect(await poll()).toEqual({ delivered: [], looked: [] });
});

test('amounts of any size are added exactly', async () => {
	const { order, poll } = await openShop();
	const { address } = await order('A-1', '400000.000001');
	await pay(address, '400000');
	expect(await poll()).toEqual({ delivered: [], looked: ['too little 1'] });
	await pay(address, '0.000001');
	expect(await poll()).toEqual({ delivered: [1], looked: [] });
});

test('what comes late, and what belongs to no order, goes to a person', async () => {
	const { order, poll } = await openShop(-5);
	const { address } = await order('A-1', '1');
	await pay(address, '1');
	await pay(addressOf(50), '1');
	const { delivered, looked } = await poll();
	expect([delivered, looked.toSorted()]).toEqual([[], ['late 1', 'no order 50']]);
});

test('what a reorganization takes back is said, and what replaces it counts', async () => {
	const { order, poll } = await openShop();
	const [one, two] = [await order('A-1', '1'), await order('A-2', '1')];
	await mine(1);
	await pay(one.address, '1');
	expect((await poll()).delivered).toEqual([1]);
	await reorganize(1, transferTo(two.address, '1'));
	await mine(1);
	expect(await poll()).toEqual({ delivered: [2], looked: ['taken back 1'] });
	await pay(one.address, '1');
	expect(await poll()).toEqual({ delivered: [], looked: ['paid before 1'] });
});

test('a table that begins in the past is filled, kept, and follows reorganizations', async () => {
	const tables = createTables();
	const example = openExample('keep-transfers', { own: {}, credentials: {}, tables });
	const given = readTriggerParameters('keep-transfers', 'A Transfer');
	const holder = account(6);
	await pay(holder, '1');
	await pay(holder, '2');
	const trigger = createPollingWorkflow({
		node: new ActivityTrigger(),
		credentials: sandbox.credentials.token,
		parameters: { ...given, tokens: coin.address, accounts: holder },
	});
	await trigger.activate();
	const read = async () => {
		const { items } = await trigger.poll();
		await example.runItems('A Transfer', items);
		return tables.open('Kept transfers').map(({ amount }) => amount);
	};
	expect(await read()).toEqual(['1', '2']);
	await pay(holder, '3');
	expect(await read()).toEqual(['1', '2', '3']);
	await reorganize(1, transferTo(holder, '4'));
	await mine(1);
	expect(await read()).toEqual(['1', '2', '4']);
});
