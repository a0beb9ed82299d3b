import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { numberToHex } from '../harness/evmChain.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { connected, type SocketClient } from './support/socketClient.mts';

const sandbox = createSandbox({ chain: true });
let socket: SocketClient;
let head: number;
let hash: string;

/** The code of a contract that writes an empty log when it is deployed. */
const LOGS_ONCE = '0x60006000a000';

beforeAll(async () => {
	const [from] = (await sandbox.chain('eth_accounts')) as string[];
	for (let count = 0; count < 8; count++) {
		({ transactionHash: hash } = await sandbox.mined({ from, data: LOGS_ONCE }));
	}
	head = Number(await sandbox.chain('eth_blockNumber'));
	socket = await connected(sandbox);
});

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

const overSocket: Ask = async (...call) => {
	const { result, error } = await socket.ask(...call);
	return error ? error.message : result;
};

const overHttp: Ask = async (method, ...params) => {
	const answer = await request(`${sandbox.nodeUrl}/${sandbox.authToken}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
	});
	const { result, error } = (await answer.body.json()) as Record<string, IDataObject>;
	return error ? error.message : result;
};

const set = async (settings: object) => await sandbox.control('PUT', '/lag', settings);
const all = () => ({ fromBlock: '0x1', toBlock: numberToHex(head) });
const last = (list: unknown) => Number((list as IDataObject[]).at(-1)?.blockNumber);
const height = async (ask: Ask) => Number(await ask('eth_blockNumber'));
const blockOf = async (ask: Ask, tag: string) =>
	(await ask('eth_getBlockByNumber', tag, false)) as IDataObject | null;

describe.each([
	['over HTTP', overHttp],
	['over a socket', overSocket],
])('%s', (_how, ask) => {
	test('nothing is late unless it is set', async () => {
		expect(last(await ask('eth_getLogs', all()))).toBe(head);
		expect(last(await ask('trace_filter', all()))).toBe(head);
		expect(await height(ask)).toBe(head);
	});

	test('an index of logs is behind, and nothing else', async () => {
		await set({ logs: { blocks: 2 } });
		expect(last(await ask('eth_getLogs', all()))).toBe(head - 2);
		expect(last(await ask('trace_filter', all()))).toBe(head);
		expect(await height(ask)).toBe(head);
		const { hash: blockHash } = (await blockOf(ask, numberToHex(head))) ?? {};
		expect(await ask('eth_getLogs', { blockHash })).toEqual([]);
		expect(await ask('eth_getBlockReceipts', blockHash)).toHaveLength(1);
	});

	test('traces are behind, and nothing else', async () => {
		await set({ traces: { blocks: 3 } });
		expect(last(await ask('trace_filter', all()))).toBe(head - 3);
		expect(await ask('trace_transaction', hash)).toBeNull();
		expect(last(await ask('eth_getLogs', all()))).toBe(head);
	});

	test('a whole backend is behind', async () => {
		const { hash: blockHash } = (await blockOf(ask, numberToHex(head))) ?? {};
		await set({ backends: { blocks: 2 } });
		expect(await height(ask)).toBe(head - 2);
		expect(Number((await blockOf(ask, 'latest'))?.number)).toBe(head - 2);
		expect(await blockOf(ask, numberToHex(head - 1))).toBeNull();
		expect(Number((await blockOf(ask, numberToHex(head - 2)))?.number)).toBe(head - 2);
		expect(last(await ask('eth_getLogs', all()))).toBe(head - 2);
		expect(last(await ask('trace_filter', all()))).toBe(head - 2);
		expect(await ask('eth_getLogs', { blockHash })).toBe('unknown block');
		expect(await ask('eth_getBlockByHash', blockHash, false)).toBeNull();
		expect(await ask('eth_getTransactionReceipt', hash)).toBeNull();
		expect(await ask('eth_chainId')).toBe('0x7a69');
	});

	test('an index may be behind a backend that is', async () => {
		await set({ backends: { blocks: 1 }, logs: { blocks: 2 } });
		expect(last(await ask('eth_getLogs', all()))).toBe(head - 3);
	});

	test('some of the calls are late, the same ones for the same seed', async () => {
		const heads = async (seed: number) => {
			await set({ backends: { blocks: 1, share: 0.5 }, seed });
			const found: number[] = [];
			for (let count = 0; count < 30; count++) found.push(await height(ask));
			return found;
		};
		const one = await heads(1);
		expect(new Set(one)).toEqual(new Set([head - 1, head]));
		expect(await heads(1)).toEqual(one);
		expect(await heads(2)).not.toEqual(one);
	});

	test('blocks may have no blooms, and nodes no receipts', async () => {
		const { logsBloom, hash: blockHash } = (await blockOf(ask, numberToHex(head))) ?? {};
		expect(logsBloom).toMatch(/[1-9a-f]/);
		await set({ blooms: false, receipts: false });
		expect((await blockOf(ask, numberToHex(head)))?.logsBloom).toBe(`0x${'0'.repeat(512)}`);
		expect(await ask('eth_getBlockReceipts', blockHash)).toMatch(/does not exist here/);
	});
});

test('announcements have no blooms either', async () => {
	await set({ blooms: false });
	await socket.ask('eth_subscribe', 'newHeads');
	const [from] = (await sandbox.chain('eth_accounts')) as string[];
	await sandbox.mined({ from, data: LOGS_ONCE });
	while (socket.getNotifications().length === 0) await socket.ask('eth_chainId');
	expect(socket.getNotifications()).toMatchObject([
		{ number: numberToHex(head + 1), logsBloom: `0x${'0'.repeat(512)}` },
	]);
});

test.each([
	{ logs: { blocks: -1 } },
	{ logs: { blocks: 1, share: 2 } },
	{ index: { blocks: 1 } },
	{ blooms: 'no' },
])('%j is refused', async (settings) => {
	await expect(set(settings)).rejects.toThrow(/PUT .*\/lag: .*400/);
});
