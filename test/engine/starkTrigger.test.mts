import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { StarkTrigger } from '../../nodes/StarkTrigger/StarkTrigger.node';
import { buildStarkScene } from '../cases/stageStark.mts';
import { runManually } from '../harness/engine.mts';
import { createPollingWorkflow } from '../harness/poll.mts';
import { createStarkChain, HI_CALLDATA, padFelt } from '../harness/starkChain.mts';

const { sandbox, accountOf, addBlocks, contractOf, control, send, sendCalls, set } =
	createStarkChain();
beforeEach(async () => void (await addBlocks(2)));
const reorganize = async (depth: number, keep: boolean) => await control('reorg', { depth, keep });

const emitPlain = async (...ids: number[]) =>
	await sendCalls(
		...ids.map((id) => ({
			to: contractOf('everything'),
			function: 'emit_plain',
			calldata: [`0x${id.toString(16)}`, ...HI_CALLDATA],
		})),
	);
const pay = async (to: string, amount: number, name = 'newToken') =>
	await send(contractOf(name), 'transfer', to, `0x${amount.toString(16)}`, '0x0');

const tested = (parameters: INodeParameters) => ({
	node: new StarkTrigger(),
	parameters,
	credentials: sandbox.credentials.token,
});

const watchPlain = (more: INodeParameters = {}) => ({
	contract: contractOf('everything'),
	eventName: 'Plain',
	...more,
});
const watchPayments = (more: INodeParameters = {}) => ({
	event: 'tokenTransfer',
	tokens: contractOf('newToken'),
	accounts: accountOf(1),
	direction: 'to',
	...more,
});

/** Activates a workflow that starts at the present, and has no items yet. */
async function activate(parameters: INodeParameters) {
	const workflow = createPollingWorkflow(tested(parameters));
	expect(await workflow.activate()).toEqual({ items: [], error: undefined });
	return workflow;
}

type Polling = Awaited<ReturnType<typeof activate>>;

async function pollFor(workflow: Polling, key: string): Promise<unknown[]> {
	const { items, error } = await workflow.poll();
	expect(error?.message).toBeUndefined();
	return items.map((item) => ('args' in item ? (item.args as IDataObject)[key] : item[key]));
}

const pollIds = async (workflow: Polling) => await pollFor(workflow, 'id');
const pollValues = async (workflow: Polling) => await pollFor(workflow, 'value');

test.each(['0.7', '0.8', '0.9', '0.10'])(
	'events come once, decoded and in order, and none from before, in version %s',
	async (version) => {
		await set({ version });
		await emitPlain(1);
		const workflow = await activate(watchPlain());
		await emitPlain(2, 3);
		await emitPlain(4);
		const { items, error } = await workflow.poll();
		expect(error).toBeUndefined();
		expect(items[0]).toEqual({
			contract: padFelt(contractOf('everything')),
			event: 'Plain',
			args: { id: '2', note: 'hi' },
			blockNumber: 4,
			blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
			transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) as string,
			eventIndex: version === '0.10' ? 0 : null,
		});
		expect(items.map(({ args }) => (args as IDataObject).id)).toEqual(['2', '3', '4']);
		expect(await pollIds(workflow)).toEqual([]);
	},
);

test('events that say the same in one transaction all come', async () => {
	const workflow = await activate(watchPlain());
	await emitPlain(7, 7, 7);
	await emitPlain(7);
	expect(await pollIds(workflow)).toEqual(['7', '7', '7', '7']);
	expect(await pollIds(workflow)).toEqual([]);
});

/** An ABI that declares the event `Plain` with fewer fields than the contract emits. */
const NARROW_ABI = JSON.stringify([
	{
		type: 'event',
		name: 'Event',
		kind: 'enum',
		variants: [{ name: 'Plain', type: 'Plain', kind: 'nested' }],
	},
	{
		type: 'event',
		name: 'Plain',
		kind: 'struct',
		members: [{ name: 'id', type: 'core::integer::u8', kind: 'data' }],
	},
]);

test('an event that does not fit its ABI comes as it is', async () => {
	const workflow = await activate(watchPlain({ abi: NARROW_ABI }));
	await emitPlain(300);
	const { items } = await workflow.poll();
	expect(items).toEqual([
		expect.objectContaining({
			contract: padFelt(contractOf('everything')),
			event: null,
			args: null,
			keys: [expect.stringMatching(/^0x[0-9a-f]{64}$/), padFelt('0x12c')],
			data: HI_CALLDATA.map(padFelt),
		}),
	]);
});

test.each<[string, () => INodeParameters, RegExp]>([
	[
		'whose event the contract does not have',
		() => watchPlain({ eventName: 'Plane' }),
		/^'Event Name' must be an event of the contract, such as Plain, .*; got "Plane"$/,
	],
	['whose contract does not exist', () => watchPlain({ contract: '0x1234' }), /0x0+1234/],
])('one %s fails whenever it is switched on', async (_, parameters, words) => {
	const workflow = createPollingWorkflow(tested(parameters()));
	// The second activation must fail as well, because the first has stored no state.
	for (let times = 0; times < 2; times++) await expect(workflow.activate()).rejects.toThrow(words);
});

test.each(['0.9', '0.10'])(
	'equal transfers to oneself in one transaction all come, and those between watched accounts once, in version %s',
	async (version) => {
		await set({ version });
		const accounts = [accountOf(0), accountOf(1)].join();
		const workflow = await activate(watchPayments({ accounts, direction: 'any' }));
		const token = contractOf('newToken');
		const move = (to: string) => ({
			to: token,
			function: 'transfer',
			calldata: [to, '0x5', '0x0'],
		});
		await sendCalls(...[0, 0, 1, 1].map((to) => move(accountOf(to))));
		const { items } = await workflow.poll();
		expect(items.map(({ to }) => to)).toEqual([0, 0, 1, 1].map((to) => padFelt(accountOf(to))));
	},
);

test('keys narrow the events down, and any contract may be watched', async () => {
	const workflow = await activate(watchPlain({ keys: '[null, "0x9"]' }));
	const any = await activate({ keys: '[]' });
	await emitPlain(8, 9);
	expect(await pollIds(workflow)).toEqual(['9']);
	const { items } = await any.poll();
	expect(items.map(({ event }) => event)).toContain('Plain');
	expect(items.map(({ event }) => event)).toContain('Transfer');
});

test.each(['newToken', 'oldToken'])('transfers of %s to an account come', async (name) => {
	const workflow = await activate(watchPayments({ tokens: contractOf(name) }));
	await pay(accountOf(1), 5, name);
	await pay(accountOf(2), 6, name);
	await pay(accountOf(1), 7, name);
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	expect(items.map(({ value }) => value)).toEqual(['5', '7']);
	expect(items[0]).toMatchObject({
		token: padFelt(contractOf(name)),
		from: padFelt(accountOf(0)),
		to: padFelt(accountOf(1)),
		amount: name === 'newToken' ? '0.000005' : '0.000000000000000005',
	});
});

test('one to oneself is found by both of its parties, and comes once', async () => {
	const workflow = await activate(watchPayments({ accounts: accountOf(0), direction: 'any' }));
	await pay(accountOf(0), 5);
	await pay(accountOf(1), 6);
	expect(await pollValues(workflow)).toEqual(['5', '6']);
});

describe('after a reorganization', () => {
	test.each([1, 2, 5])(
		'of %d blocks, the same transactions do not come again, and new ones do',
		async (depth) => {
			const workflow = await activate(watchPlain());
			for (const id of [1, 2, 3, 4, 5]) await emitPlain(id);
			expect(await pollIds(workflow)).toEqual(['1', '2', '3', '4', '5']);
			await reorganize(depth, true);
			await emitPlain(6);
			expect(await pollIds(workflow)).toEqual(['6']);
			await reorganize(depth, true);
			await emitPlain(7);
			expect(await pollIds(workflow)).toEqual(['7']);
		},
	);

	test('what replaces the blocks comes, although the new branch is shorter', async () => {
		const workflow = await activate(watchPlain());
		for (const id of [1, 2, 3]) await emitPlain(id);
		expect(await pollIds(workflow)).toEqual(['1', '2', '3']);
		await reorganize(3, false);
		await emitPlain(4);
		expect(await pollIds(workflow)).toEqual(['4']);
		await emitPlain(5);
		expect(await pollIds(workflow)).toEqual(['5']);
	});

	test('a transaction that comes back polls later, after a restart, does not come again', async () => {
		const workflow = await activate(watchPlain());
		await emitPlain(1);
		expect(await pollIds(workflow)).toEqual(['1']);
		await reorganize(1, false);
		await addBlocks(3);
		expect(await pollIds(workflow)).toEqual([]);
		const second = createPollingWorkflow(tested(watchPlain()), { saved: workflow.inMemory() });
		expect((await second.activate()).items).toEqual([]);
		// The transaction is the same as before the reorganization, because its nonce is free again.
		await emitPlain(1);
		await emitPlain(2);
		expect(await pollIds(second)).toEqual(['2']);
	});
});

test('what happened while n8n was down comes in its order, and nothing twice after a kill', async () => {
	const first = await activate(watchPlain());
	await emitPlain(1);
	expect(await pollIds(first)).toEqual(['1']);
	await emitPlain(2);
	await addBlocks(450);
	await emitPlain(3);
	const second = createPollingWorkflow(tested(watchPlain()), { saved: first.saved() });
	const { items } = await second.activate();
	expect(items.map(({ args }) => (args as IDataObject).id)).toEqual(['2', '3']);
	const third = createPollingWorkflow(tested(watchPlain()), { saved: second.saved() });
	expect((await third.activate()).items).toEqual([]);
});

test('outages fail a poll and lose nothing', async () => {
	const workflow = await activate(watchPlain({ options: { maxRetries: 0 } }));
	await emitPlain(1);
	await sandbox.fault({ rpcMethod: 'l2_getEvents', times: 1, do: { status: 503, body: {} } });
	expect((await workflow.poll()).error).toBeDefined();
	expect(await pollIds(workflow)).toEqual(['1']);
	expect(await pollIds(workflow)).toEqual([]);
});

test.each(['0.8', '0.10'])(
	'only what is proven on L1 counts where that is chosen, in version %s',
	async (version) => {
		await set({ version });
		const workflow = await activate(watchPlain({ options: { until: 'acceptedOnL1' } }));
		await emitPlain(1);
		await emitPlain(2);
		expect(await pollIds(workflow)).toEqual([]);
		await control('l1', { block: 3 });
		expect(await pollIds(workflow)).toEqual(['1']);
		await addBlocks(4);
		expect(await pollIds(workflow)).toEqual([]);
		await control('l1', { block: 6 });
		expect(await pollIds(workflow)).toEqual(['2']);
	},
);

test('what is in the block being made waits for its block', async () => {
	const workflow = await activate(watchPlain());
	await set({ inclusion: 'making' });
	await emitPlain(1);
	expect(await pollIds(workflow)).toEqual([]);
	await addBlocks(1);
	expect(await pollIds(workflow)).toEqual(['1']);
});

test('a node that is behind loses nothing', async () => {
	const workflow = await activate(watchPlain());
	await sandbox.control('PUT', '/lag', { backends: { blocks: 3, share: 0.5 } });
	const found: unknown[] = [];
	for (let id = 1; id <= 8; id++) {
		await emitPlain(id);
		found.push(...(await pollIds(workflow)));
	}
	await sandbox.control('PUT', '/lag', {});
	found.push(...(await pollIds(workflow)));
	expect(found).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
});

test('after other choices and on another chain it begins at the present', async () => {
	const workflow = await activate(watchPlain());
	await emitPlain(1);
	const other = createPollingWorkflow(tested(watchPlain({ keys: '[null, "0x1"]' })), {
		saved: workflow.saved(),
	});
	expect((await other.activate()).items).toEqual([]);
	await set({ chainId: 'SN_MAIN' });
	await addBlocks(1);
	expect(await pollIds(workflow)).toEqual([]);
	await emitPlain(2);
	expect(await pollIds(workflow)).toEqual(['2']);
});

test('by hand it shows the latest event, and says so where there is none', async () => {
	await emitPlain(1);
	await emitPlain(2);
	await addBlocks(60);
	const { items } = await runManually(tested(watchPlain()));
	expect(items.map(({ json }) => (json.args as IDataObject).id)).toEqual(['2']);
	const { error } = await runManually(tested(watchPayments()));
	expect(error?.message).toBe('No such transfer was found');
	expect(error?.description).toMatch(/^Check Tokens, Accounts and Direction\./);
});

test('by hand it shows the latest payment of the scene that the tests in a real n8n build', async () => {
	await sandbox.reset();
	await buildStarkScene(sandbox.control);
	const { token, receiver, transactionHash } = await buildStarkScene(sandbox.control);
	const watched = { event: 'tokenTransfer', tokens: token, accounts: receiver };
	const { items, error } = await runManually(tested(watched));
	expect(error?.message).toBeUndefined();
	expect(items.map(({ json }) => json.transactionHash)).toEqual([transactionHash]);
});

test.each<[INodeParameters, RegExp]>([
	[{ contract: 'x' }, /'Contract' must be an address/],
	[{ eventName: 'Plain' }, /'Event Name' needs 'Contract' or 'ABI'/],
	[{ event: 'tokenTransfer', tokens: '0xzz' }, /'Tokens'/],
	[{ keys: '{' }, /'Keys' must be/],
])('it refuses %j by name', async (parameters, wanted) => {
	await addBlocks(1);
	const workflow = createPollingWorkflow(tested(parameters));
	const failing = async () => {
		await workflow.activate();
		await emitPlain(1);
		const { error } = await workflow.poll();
		if (error) throw error;
	};
	await expect(failing()).rejects.toThrow(wanted);
});

describe('a trigger that begins in the past', () => {
	/** Polls until no items come. n8n is restarted before each poll. */
	async function readFrom(startAt: unknown) {
		const parameters = watchPlain({ options: { startAt } as INodeParameters });
		let workflow = await activate(parameters);
		const ids: unknown[] = [];
		for (let count = 1; count > 0; ) {
			const found = await pollIds(workflow);
			ids.push(...found);
			count = found.length;
			workflow = createPollingWorkflow(tested(parameters), { saved: workflow.saved() });
		}
		return { ids, workflow };
	}

	async function emitThree() {
		for (const id of [1, 2, 3]) await emitPlain(id);
		const first = createPollingWorkflow(tested(watchPlain({ options: { startAt: 0 } })));
		await first.activate();
		const { items } = await first.poll();
		return items.map(({ blockNumber }) => Number(blockNumber));
	}

	test('reads all from there on, each once, and then the next', async () => {
		const [one = 0, two = 0, three = 0] = await emitThree();
		for (const startAt of [two, `${three - two} blocks back`]) {
			const { ids, workflow } = await readFrom(startAt);
			expect(ids).toEqual(['2', '3']);
			expect(await pollIds(workflow)).toEqual([]);
		}
		expect((await readFrom(one)).ids).toEqual(['1', '2', '3']);
		const { workflow } = await readFrom('1 day back');
		await emitPlain(4);
		expect(await pollIds(workflow)).toEqual(['4']);
	});

	test('refuses what lies in the future', async () => {
		const [, , last = 0] = await emitThree();
		const activation = createPollingWorkflow(
			tested(watchPlain({ options: { startAt: last + 1 } })),
		).activate();
		await expect(activation).rejects.toThrow(`the latest block is ${last}`);
	});
});
