import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { deployContract } from '../../../harness/contract.mts';
import { createWorld } from '../support/world.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;

const world = createWorld();
let forger: Contract;
let proxy: Contract;

const ETHER = 10n ** 18n;

beforeAll(async () => {
	forger = await deployContract(world.sandbox, 'Forger');
	proxy = await deployContract(world.sandbox, 'Proxy', { given: [BigInt(forger.address)] });
});

/** An account that seems to be paid in false transactions, and never pays anybody. */
const payee = () => world.account(7);

async function balance(address: string): Promise<bigint> {
	return BigInt((await world.sandbox.chain('eth_getBalance', address, 'latest')) as string);
}

/** Calls a contract with one ether. The contract makes the call look like a payment to the account. */
async function pay(contract: Contract, method: string): Promise<void> {
	const data = forger.data(`${method}(address)`, BigInt(payee()));
	const value = `0x${ETHER.toString(16)}`;
	await world.sandbox.mined({
		from: forger.owner,
		to: contract.address,
		value,
		data,
		gas: '0x7a120',
	});
}

const isTo = (address: string) => (item: IDataObject) =>
	String(item.to).toLowerCase() === address.toLowerCase();
const isFrom = (address: string) => (item: IDataObject) =>
	String(item.from).toLowerCase() === address.toLowerCase();
const sum = (items: readonly IDataObject[]) =>
	items.reduce((total, { value }) => total + BigInt(String(value)), 0n);

const watching = (options: INodeParameters = {}): INodeParameters => ({
	event: 'addressActivity',
	addresses: [payee(), forger.address, proxy.address].join(),
	options,
});

/** Returns what each account gained according to the items. Checks that this equals its real gain. */
async function gains(act: () => Promise<void>, options?: INodeParameters) {
	const addresses = [payee(), forger.address, proxy.address];
	const workflow = await world.active(watching(options));
	const before = await Promise.all(addresses.map(balance));
	await act();
	const after = await Promise.all(addresses.map(balance));
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	const gained = addresses.map((_, index) => (after[index] ?? 0n) - (before[index] ?? 0n));
	const moved = items.filter(({ reverted }) => !reverted);
	const said = addresses.map(
		(one) => sum(moved.filter(isTo(one))) - sum(moved.filter(isFrom(one))),
	);
	expect(said).toEqual(gained);
	return { items, gained };
}

/** Reads the condition from the example workflow that alerts on payments. */
function isPaymentInExample(): (item: IDataObject) => boolean {
	const file = join(__dirname, '..', '..', '..', '..', 'examples', 'payment-alerts.json');
	const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as { nodes: IDataObject[] };
	const { parameters } = nodes.find(({ name }) => name === 'Is It a Payment?') as {
		parameters: { conditions: { conditions: Array<{ leftValue: string }> } };
	};
	const [{ leftValue } = { leftValue: '' }] = parameters.conditions.conditions;
	const condition = leftValue.replace(/^=\{\{(.*)\}\}$/, '$1');
	return runInNewContext(`($json) => ${condition}`) as (item: IDataObject) => boolean;
}

const forgeries: Array<[string, () => Contract, string]> = [
	['a payment that its transaction takes back', () => forger, 'payAndRevert'],
	['a payment that a call within the transaction takes back', () => forger, 'payAndRevertWithin'],
	['a delegatecall', () => forger, 'delegate'],
	['a callcode', () => forger, 'callCode'],
	['a delegatecall behind a proxy', () => proxy, 'delegate'],
];

test.each(forgeries)(
	'%s pays nothing, and no item says that it did',
	async (_what, contract, method) => {
		const { items, gained } = await gains(async () => await pay(contract(), method));
		expect(gained[0]).toBe(0n);
		expect(sum(items.filter(isTo(payee())))).toBe(0n);
	},
);

test.each<[string, () => Contract]>([
	['a contract', () => forger],
	['a proxy', () => proxy],
])('a payment by way of %s is emitted, once', async (_what, contract) => {
	const { items } = await gains(async () => await pay(contract(), 'pay'));
	expect(items.filter(isTo(payee())).map(({ value }) => value)).toEqual([String(ETHER)]);
});

test('all of them in one block are distinguished', async () => {
	const { sandbox } = world;
	const { items, gained } = await gains(async () => {
		await sandbox.chain('evm_setAutomine', false);
		const sent = [
			...forgeries,
			['', () => forger, 'pay'] as const,
			['', () => proxy, 'pay'] as const,
		];
		for (const [, contract, method] of sent) {
			await sandbox.chain('eth_sendTransaction', {
				from: forger.owner,
				to: contract().address,
				value: `0x${ETHER.toString(16)}`,
				data: forger.data(`${method}(address)`, BigInt(payee())),
				gas: '0x7a120',
			});
		}
		await sandbox.chain('evm_mine');
		await sandbox.chain('evm_setAutomine', true);
	});
	expect(gained[0]).toBe(2n * ETHER);
	const alerts = items.filter(isTo(payee())).filter(isPaymentInExample());
	expect(alerts.map(({ value }) => value)).toEqual([String(ETHER), String(ETHER)]);
});

test('with the option, what was undone comes too, and says so', async () => {
	const { items } = await gains(
		async () => {
			await pay(forger, 'payAndRevert');
			await pay(forger, 'payAndRevertWithin');
			await pay(forger, 'pay');
		},
		{ includeReverted: true },
	);
	const toPayee = items.filter(isTo(payee()));
	expect(toPayee.map(({ value, reverted }) => [value, reverted])).toEqual([
		[String(ETHER), true],
		[String(ETHER), true],
		[String(ETHER), false],
	]);
	expect(items.every(({ reverted }) => typeof reverted === 'boolean')).toBe(true);
});

test('a transaction is asked for once, and all of a poll travel together', async () => {
	const { sandbox, active } = world;
	const workflow = await active(watching());
	for (let count = 0; count < 3; count++) await pay(proxy, 'pay');
	await sandbox.reset();
	await workflow.poll();
	const asked = (await sandbox.record())
		.map(({ body }) => ([body].flat() as IDataObject[]).map(({ method }) => method))
		.filter((methods) => methods.includes('trace_transaction'));
	expect(asked).toEqual([new Array(3).fill('trace_transaction')]);
});

test('a node that does not have all traces of a transaction yet is asked again', async () => {
	const { sandbox, active } = world;
	const workflow = await active(watching());
	await pay(forger, 'payAndRevertWithin');
	await sandbox.fault({ rpcMethod: 'trace_transaction', do: { patch: { result: null } } });
	expect(await workflow.poll()).toEqual({ items: [], error: undefined });
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	expect(items.map(({ value }) => value)).toEqual([String(ETHER)]);
});
