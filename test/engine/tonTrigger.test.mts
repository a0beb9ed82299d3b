import { Address, beginCell } from '@ton/core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Ton } from '../../nodes/Ton/Ton.node';
import { TonTrigger } from '../../nodes/TonTrigger/TonTrigger.node';
import { buildTonScene, type TonScene } from '../cases/tonScene.mts';
import { runManually, runNode } from '../harness/engine.mts';
import { createPollingWorkflow } from '../harness/poll.mts';
import { createSandbox } from '../harness/sandbox.mts';

const sandbox = createSandbox();
let scene: TonScene;

beforeEach(async () => (scene = await buildTonScene(sandbox.control)));

const tested = (parameters: INodeParameters) => ({
	node: new TonTrigger(),
	parameters,
	credentials: sandbox.credentials.token,
});

/** Activates a workflow that starts at the present, and has no items yet. */
async function activate(parameters: INodeParameters) {
	const workflow = createPollingWorkflow(tested(parameters));
	expect(await workflow.activate()).toEqual({ items: [], error: undefined });
	return workflow;
}

const control = async (path: string, body: object) =>
	await sandbox.control('POST', `/ton/${path}`, body);
const pay = async (to: string, amount: string, more: object = {}) =>
	await control('pay', { to, amount, ...more });

/** An account without code, so that coins that are sent with bounce come back. */
const NOBODY = `0:${'77'.repeat(32)}`;

/** Finds the wallet that makes all payments of the sandbox's control server. */
async function findGiver(): Promise<string> {
	const { people } = (await sandbox.control('GET', '/ton/chain')) as {
		people: { giver: { v3r2: string } };
	};
	return people.giver.v3r2;
}

const watchOwner = () => ({ addresses: scene.owner, direction: 'in', minAmount: '0.01' });
const watchJettons = () => ({
	event: 'jettonPayment',
	addresses: scene.owner,
	jettons: scene.jetton,
});

test('a payment comes once, with its comment, and what was there before does not', async () => {
	const workflow = await activate(watchOwner());
	await pay(scene.owner, '2.5', { comment: 'Invoice 42' });
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	expect(items).toEqual([
		{
			key: expect.stringMatching(/^[0-9a-f]{64}:coins$/) as string,
			chain: 'ton',
			token: null,
			symbol: 'TON',
			decimals: 9,
			value: '2500000000',
			direction: 'in',
			from: expect.stringMatching(/^[EU]Q/) as string,
			to: scene.owner,
			amount: '2.5',
			comment: 'Invoice 42',
			opcode: '0x00000000',
			bounced: false,
			transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
			lt: expect.stringMatching(/^\d+$/) as string,
			timestamp: expect.stringMatching(/Z$/) as string,
		},
	]);
	expect(await workflow.poll()).toEqual({ items: [], error: undefined });
});

test('what came in while n8n was down comes in its order, and nothing twice after a kill', async () => {
	const first = await activate(watchOwner());
	await pay(scene.owner, '1');
	await first.poll();
	await pay(scene.owner, '2');
	await pay(scene.owner, '3');
	const second = createPollingWorkflow(tested(watchOwner()), { saved: first.saved() });
	const { items } = await second.activate();
	expect(items.map(({ amount }) => amount)).toEqual(['2', '3']);
	const third = createPollingWorkflow(tested(watchOwner()), { saved: second.saved() });
	expect((await third.activate()).items).toEqual([]);
});

test('payments below the least amount are left out, and so is what an account pays by itself', async () => {
	const workflow = await activate({ ...watchOwner(), minAmount: '1' });
	await pay(scene.owner, '0.999999999');
	await pay(scene.receiver, '5');
	expect((await workflow.poll()).items).toEqual([]);
});

test('of what an account sends, only what the receiver keeps is a payment', async () => {
	const workflow = await activate({ addresses: await findGiver(), direction: 'out' });
	await pay(NOBODY, '1', { bounce: true });
	await pay(scene.receiver, '2', { comment: 'kept' });
	await pay(NOBODY, '3', { bounce: false });
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	expect(items).toMatchObject([
		{ direction: 'out', to: scene.receiver, amount: '2', comment: 'kept', bounced: false },
		{ direction: 'out', amount: '3', comment: null, bounced: false },
	]);
	expect(items).toHaveLength(2);
});

test('coins that come back are no payment', async () => {
	const giver = await findGiver();
	const workflow = await activate({ addresses: giver, direction: 'in' });
	await pay(NOBODY, '1', { bounce: true });
	expect((await workflow.poll()).items).toEqual([]);
	await pay(giver, '2', { bounce: false });
	expect((await workflow.poll()).items).toMatchObject([{ amount: '2' }]);
});

test('a payment that is still under way waits for its end', async () => {
	const { payer: from, receiver: to } = scene;
	const workflow = await activate({ addresses: from, direction: 'out' });
	const prepared = await runTon({ operation: 'prepare', from, to, amount: '2' });
	await sandbox.control('PUT', '/ton/chain', { hold: true });
	const signedMessage = scene.sign(prepared.transfer as IDataObject);
	await runTon({ operation: 'send', signedMessage });
	// One step lets the wallet accept the message. The payment that the wallet sends is still on its way.
	await control('step', { messages: 1 });
	expect(await workflow.poll()).toEqual({ items: [], error: undefined });
	await control('step', { messages: 10 });
	expect((await workflow.poll()).items).toMatchObject([{ from, to, amount: '2' }]);
	expect((await workflow.poll()).items).toEqual([]);
});

async function runTon(parameters: INodeParameters): Promise<IDataObject> {
	const { items, error } = await runNode({
		node: new Ton(),
		parameters: { resource: 'transaction', ...parameters },
		credentials: sandbox.credentials.token,
	});
	if (error) throw error;
	return items[0]?.json ?? {};
}

test('jettons are those that the own jetton wallet took in, by the jetton and its decimals', async () => {
	const workflow = await activate(watchJettons());
	await pay(scene.owner, '1500000', { jetton: scene.jetton, comment: 'Invoice 7' });
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	expect(items).toMatchObject([
		{
			direction: 'in',
			jetton: scene.jetton,
			symbol: 'SBD',
			decimals: 6,
			to: scene.owner,
			value: '1500000',
			amount: '1.5',
			comment: 'Invoice 7',
		},
	]);
	expect((await workflow.poll()).items).toEqual([]);
});

test('a first payment in jettons comes, though there was no jetton wallet before', async () => {
	const workflow = await activate({ ...watchJettons(), addresses: scene.receiver });
	await pay(scene.receiver, '2000000', { jetton: scene.jetton });
	expect((await workflow.poll()).items).toMatchObject([{ to: scene.receiver, amount: '2' }]);
});

test('jettons that went out with a payload that cannot be read come with their amount and receiver', async () => {
	const giver = await findGiver();
	const workflow = await activate({ ...watchJettons(), addresses: giver, direction: 'out' });
	const { wallet } = await runTon({
		resource: 'jetton',
		operation: 'getBalance',
		jetton: scene.jetton,
		owner: giver,
	});
	await pay(String(wallet), '0.1', { body: buildTransferWithRest(scene.receiver) });
	const to = Address.parse(scene.receiver).toString();
	const wanted = { direction: 'out', to, amount: '1.25', comment: null };
	expect((await workflow.poll()).items).toMatchObject([wanted]);
	const listed = await runTon({
		resource: 'jetton',
		operation: 'getTransfers',
		jettons: scene.jetton,
		owner: giver,
		direction: 'out',
		limit: 1,
	});
	expect(listed).toMatchObject(wanted);
});

test('a jetton of the same name is another one', async () => {
	const content = { name: 'Sandbox Dollar', symbol: 'SBD', decimals: '6', image: 'ipfs://other' };
	const { address } = (await control('jettons', { content })) as { address: string };
	const workflow = await activate(watchJettons());
	expect(address).not.toBe(Address.parse(scene.jetton).toRawString());
	await control('mint', { jetton: address, to: scene.owner, amount: '9000000' });
	expect((await workflow.poll()).items).toEqual([]);
});

test('a forged notification of jettons is no payment', async () => {
	const workflow = await activate(watchJettons());
	await pay(scene.owner, '0.05', { body: forgeNotification() });
	expect((await workflow.poll()).items).toEqual([]);
});

test.each([
	['that has no gas to run', 'owner', 1],
	['that has no code yet', 'receiver', 0],
] as const)('what anybody says to a jetton wallet %s is no payment', async (_, whose, known) => {
	const addresses = scene[whose];
	const workflow = await activate({ ...watchJettons(), addresses });
	const { result: wallet } = await runTon({
		resource: 'contract',
		operation: 'call',
		contract: scene.jetton,
		method: 'get_wallet_address',
		arguments: JSON.stringify([{ address: addresses }]),
	});
	await pay(String(wallet), '0.000000001', { body: forgeReceipt(), bounce: false });
	expect((await workflow.poll()).items).toEqual([]);
	const list = { resource: 'jetton', operation: 'getTransfers', owner: addresses };
	const { items } = await runNode({
		node: new Ton(),
		parameters: { ...list, jettons: scene.jetton, direction: 'in', returnAll: true },
		credentials: sandbox.credentials.token,
	});
	expect(items.filter(({ json }) => json.amount === '7777')).toEqual([]);
	expect(items.length).toBeGreaterThanOrEqual(known);
	await pay(addresses, '2000000', { jetton: scene.jetton });
	expect((await workflow.poll()).items).toMatchObject([{ to: addresses, amount: '2' }]);
});

test('by hand it shows the latest payment, and says so where there is none', async () => {
	const { items } = await runManually(tested(watchOwner()));
	expect(items.map(({ json }) => json)).toMatchObject([{ amount: '2.5', comment: 'Invoice 42' }]);
	const { error } = await runManually(tested({ ...watchOwner(), minAmount: '1000000' }));
	expect(error?.message).toBe('No such payment was found');
	expect(error?.description).toMatch(/^Check Addresses, Direction and Min Amount\./);
});

test.each([
	[{ addresses: '' }, /'Addresses' is required/],
	[{ addresses: 'UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OW' }, /valid checksum/],
	[{ addresses: ', ' }, /'Addresses' must be at least one address/],
	[{ addresses: NOBODY, minAmount: '-1' }, /'Min Amount'/],
	[{ addresses: NOBODY, event: 'jettonPayment', jettons: '' }, /'Jettons'/],
])('it refuses %j by name', async (parameters, wanted) => {
	const workflow = createPollingWorkflow(tested(parameters));
	await expect(workflow.activate()).rejects.toThrow(wanted);
});

/** Builds a transfer with its payload in a separate cell, and with meaningless bits at the end. */
function buildTransferWithRest(to: string): string {
	const body = beginCell()
		.storeUint(0x0f8a7ea5, 32)
		.storeUint(1, 64)
		.storeCoins(1_250_000n)
		.storeAddress(Address.parse(to))
		.storeAddress(null)
		.storeMaybeRef(null)
		.storeCoins(1n)
		.storeBit(true)
		.storeRef(beginCell().endCell())
		.storeUint(1, 8)
		.endCell();
	return body.toBoc().toString('base64');
}

/** Builds the body of the message with which a jetton wallet passes jettons to another jetton wallet. */
function forgeReceipt(): string {
	const body = beginCell()
		.storeUint(0x178d4519, 32)
		.storeUint(0, 64)
		.storeCoins(7_777_000_000n)
		.storeAddress(Address.parse(`0:${'11'.repeat(32)}`))
		.storeAddress(null)
		.storeCoins(0)
		.storeBit(0)
		.endCell();
	return body.toBoc().toString('base64');
}

/**
 * Builds the message of a contract that pretends to be a jetton wallet, and to have received a thousand jettons from
 * nobody.
 */
function forgeNotification(): string {
	const body = beginCell()
		.storeUint(0x7362d09c, 32)
		.storeUint(0, 64)
		.storeCoins(1_000_000_000n)
		.storeAddress(Address.parse(`0:${'11'.repeat(32)}`))
		.storeBit(0)
		.endCell();
	return body.toBoc().toString('base64');
}

describe('a trigger that begins in the past', () => {
	const beginning = (startAt: string) => ({ ...watchOwner(), options: { startAt } });

	async function readFrom(startAt: string) {
		const workflow = await activate(beginning(startAt));
		const { items, error } = await workflow.poll();
		expect(error).toBeUndefined();
		return { items, workflow };
	}

	test('reads all payments from there on, each once, and then the next', async () => {
		for (const amount of ['1', '2', '3']) {
			await control('time', { seconds: 10 });
			await pay(scene.owner, amount);
		}
		const { items: all } = await readFrom('2 days back');
		expect(all.slice(-3).map(({ amount }) => amount)).toEqual(['1', '2', '3']);
		const time = String(all.at(-2)?.timestamp);
		const { items, workflow } = await readFrom(time);
		expect(items).toEqual(all.filter(({ timestamp }) => String(timestamp) >= time));
		expect(items.map(({ amount }) => amount)).toEqual(['2', '3']);
		await pay(scene.owner, '4');
		expect((await workflow.poll()).items.map(({ amount }) => amount)).toEqual(['4']);
		expect((await workflow.poll()).items).toEqual([]);
	});

	test('reads jettons from there on', async () => {
		const parameters = { ...watchJettons(), options: { startAt: '2000-01-01' } };
		const workflow = await activate(parameters);
		const { items } = await workflow.poll();
		expect(items.length).toBeGreaterThan(0);
		expect((await workflow.poll()).items).toEqual([]);
	});

	test.each([
		['2999-01-01', /'Start At' lies in the future: the latest block is \d+, of 20/],
		['21000000', /'Options > Start At' must be how far back, such as 2 days back, or a time/],
		['500 blocks back', /'Options > Start At' must be how far back/],
	])('refuses %s', async (startAt, message) => {
		const workflow = createPollingWorkflow(tested(beginning(startAt)));
		await expect(workflow.activate()).rejects.toThrow(message);
	});
});
