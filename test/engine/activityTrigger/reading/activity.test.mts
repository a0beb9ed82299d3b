import type { IDataObject } from 'n8n-workflow';
import { deployContract } from '../../../harness/contract.mts';
import { waitUntil } from '../../../harness/until.mts';
import { payments, createWorld } from '../support/world.mts';

const world = createWorld();

const watching = (address: string | string[]) => ({ event: 'addressActivity', addresses: address });

test('the first poll is silent, then every transfer comes once, over many polls', async () => {
	const { active, account, pay, mine } = world;
	await pay(1, 2, 1);
	const workflow = await active(watching(account(1)));
	const emitted: string[] = [];
	for (let value = 10; value < 20; value++) {
		await pay(value % 2, (value + 1) % 2, value);
		if (value % 3 === 0) await mine(7);
		emitted.push(...payments((await workflow.poll()).items));
		if (value % 4 === 0) emitted.push(...payments((await workflow.poll()).items));
	}
	expect(emitted).toEqual(['+10', '+11', '+12', '+13', '+14', '+15', '+16', '+17', '+18', '+19']);
	expect((await workflow.poll()).items).toEqual([]);
});

test('an item is a simple trace, or the whole trace as documented', async () => {
	const { active, account, pay, height, sandbox } = world;
	const simple = await active(watching(account(2)));
	const raw = await active({ ...watching(account(2)), simplify: false });
	const transactionHash = await pay(2, 3, 5);
	const number = await height();
	const mined = (await sandbox.chain('eth_getBlockByNumber', 'latest', false)) as IDataObject;
	const timestamp = new Date(Number(mined.timestamp) * 1000).toISOString();
	const common = {
		key: expect.stringMatching(/^0x[0-9a-f]{64}:[0-9a-f]{32}$/) as string,
		chain: 'evm',
		transactionHash,
		timestamp,
		from: account(2),
		to: account(3),
		token: null,
		symbol: null,
		decimals: 18,
		value: '5',
		amount: '0.000000000000000005',
		comment: null,
	};
	expect((await simple.poll()).items).toEqual([
		{
			...common,
			blockNumber: number,
			transactionPosition: 0,
			traceAddress: [],
			type: 'call',
			callType: 'call',
			gasUsed: 0,
			removed: false,
		},
	]);
	const block = `0x${number.toString(16)}`;
	const [trace] = (await sandbox.chain('trace_filter', { fromBlock: block, toBlock: block })) as [
		object,
	];
	expect((await raw.poll()).items).toEqual([{ ...trace, ...common, removed: false }]);
});

test.each([
	['any', ['+1', '+2', '+3']],
	['from', ['+1', '+3']],
	['to', ['+2', '+3']],
])('direction %s', async (direction, expected) => {
	const { active, account, pay } = world;
	const workflow = await active({ ...watching(account(1)), direction });
	await pay(1, 2, 1);
	await pay(2, 1, 2);
	await pay(1, 1, 3);
	await pay(2, 3, 4);
	expect(payments((await workflow.poll()).items)).toEqual(expected);
});

test('both directions are asked for apart and in one batch, at the documented paths', async () => {
	const { active, account, pay, height, sandbox, calls } = world;
	const workflow = await active(watching(account(1)));
	await pay(1, 2);
	await sandbox.reset();
	await workflow.poll();
	const block = `0x${(await height()).toString(16)}`;
	const range = { fromBlock: block, toBlock: block };
	const searches = (await sandbox.record()).filter(({ path }) => path === '/');
	const page = (from: object) => [
		{ method: 'trace_filter', params: [{ ...range, ...from, fromAddress: [account(1)] }] },
		// The second address is the recipient of the last transaction. An answer without this transaction comes from a
		// chain node that lags.
		{
			method: 'trace_filter',
			params: [{ ...range, ...from, toAddress: [account(1), account(2)] }],
		},
	];
	expect(searches.map(({ body }) => body)).toMatchObject([page({}), page({ after: 1 })]);
	const others = (await calls()).filter(({ method }) => method !== 'trace_filter');
	expect(new Set(others.map(({ path }) => path))).toEqual(new Set(['/evm']));
});

test('the option Path replaces both', async () => {
	const { active, account, pay, sandbox } = world;
	const workflow = await active({ ...watching(account(1)), options: { path: '/' } });
	await pay(1, 2, 8);
	expect(payments((await workflow.poll()).items)).toEqual(['+8']);
	expect(new Set((await sandbox.record()).map(({ path }) => path))).toEqual(new Set(['']));
});

test('several addresses, as text or as an array, in any case', async () => {
	const { active, account, pay } = world;
	const upper = `0x${account(2).slice(2).toUpperCase()}`;
	const asText = await active(watching(`${account(1)}, ${upper}`));
	const asArray = await active(watching(`={{ ["${account(1)}", "${upper}"] }}`));
	await pay(1, 2, 1);
	await pay(3, 2, 2);
	await pay(1, 3, 3);
	await pay(3, 4, 4);
	expect(payments((await asText.poll()).items)).toEqual(['+1', '+2', '+3']);
	expect(payments((await asArray.poll()).items)).toEqual(['+1', '+2', '+3']);
});

test('a transfer inside a transaction is found, in the order of the calls', async () => {
	const { active, account, sandbox } = world;
	const relay = await deployContract(sandbox, 'Relay');
	const workflow = await active(watching(account(5)));
	const whole = await active(watching(`${account(5)}, ${relay.address}`));
	const data = relay.data('pass(address)', BigInt(account(5)));
	const { transactionHash } = await sandbox.mined({
		from: account(0),
		to: relay.address,
		value: '0x2a',
		data,
	});
	expect((await workflow.poll()).items).toMatchObject([
		{
			transactionHash,
			from: relay.address.toLowerCase(),
			to: account(5),
			value: '42',
			traceAddress: [0],
		},
	]);
	expect((await whole.poll()).items).toMatchObject([
		{ to: relay.address, traceAddress: [] },
		{ to: account(5), traceAddress: [0] },
	]);
});

test('payments from and to contracts that are only being made come, too, though traces are late', async () => {
	const { active, account, mine, sandbox, setLag } = world;
	const workflow = await active({ ...watching(account(5)), direction: 'to' });
	await setLag({ traces: { blocks: 2 } });
	// The code of the deployment sends the coins on to an account, and deploys an empty contract.
	const send = `0x600060006000600034${'73'}${account(5).slice(2)}5af160006000f3`;
	await sandbox.mined({ from: account(0), data: send, value: '0x9', gas: '0x30d40' });
	const early = await workflow.poll();
	await mine(2);
	const late = [await workflow.poll(), await workflow.poll()];
	expect(payments(early.items)).toEqual([]);
	expect(payments(late.flatMap(({ items }) => items))).toEqual(['+9']);
});

test('after a reorganization the lost transfers are taken back, then the new ones emitted', async () => {
	const { active, account, pay, reorganize } = world;
	const workflow = await active(watching(account(1)));
	for (const value of [1, 2, 3, 4]) await pay(1, 2, value);
	expect(payments((await workflow.poll()).items)).toEqual(['+1', '+2', '+3', '+4']);
	await reorganize(3, { from: account(1), to: account(3), value: '0x9' });
	expect(payments((await workflow.poll()).items)).toEqual(['-4', '-3', '-2', '+9']);
	expect((await workflow.poll()).items).toEqual([]);
});

test('a reorganization while a poll is reading does not mix two chains', async () => {
	const { active, account, calls, pay, mine, reorganize, sandbox } = world;
	const workflow = await active(watching(account(1)));
	await pay(1, 2, 7);
	await mine(2);
	await sandbox.reset();
	await sandbox.fault({ rpcMethod: 'trace_filter', do: { delay: 3_000 } });
	const polling = workflow.poll();
	await waitUntil(async () => (await calls()).some(({ method }) => method === 'trace_filter'));
	await reorganize(3, { from: account(1), to: account(4), value: '0x8' });
	const polls = [await polling, await workflow.poll(), await workflow.poll()];
	expect(polls.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
	expect(polls.flatMap(({ items }) => payments(items))).toEqual(['+8']);
});
