import { setTimeout as sleep } from 'node:timers/promises';
import { headsAfter, openSockets } from './support/openSockets.mts';
import { waitUntil } from '../harness/until.mts';

const { sandbox, client, subscribed, mined, set, sockets } = openSockets();

/** The code of a contract that writes an empty log when it is deployed. */
const logsOnce = '0x60006000a000';

const call = (id: number, method: string, ...params: unknown[]) => ({
	jsonrpc: '2.0',
	id,
	method,
	params,
});

describe('calls', () => {
	test('reach the chain, alone and in a batch', async () => {
		const one = await client();
		expect(await one.ask('eth_chainId')).toEqual({ jsonrpc: '2.0', id: 1, result: '0x7a69' });
		const batch = [call(7, 'eth_chainId'), call(8, 'anvil_mine')];
		expect(await one.exchange(batch)).toEqual([
			{ jsonrpc: '2.0', id: 7, result: '0x7a69' },
			{ jsonrpc: '2.0', id: 8, error: expect.objectContaining({ code: -32601 }) },
		]);
	});

	test.each([
		['anvil_mine', ['0x1'], -32601],
		['evm_mine', [], -32601],
		['eth_accounts', [], -32601],
		['eth_sendTransaction', [{}], -32601],
		['eth_subscribe', ['syncing'], -32602],
		['eth_subscribe', ['newHeads', {}], -32602],
		['eth_subscribe', ['logs', { fromBlock: '0x1' }], -32602],
		['eth_getBalance', [], -32602],
	])('%s %j is refused', async (method, params, code) => {
		const height = await sandbox().chain('eth_blockNumber');
		const { error } = await (await client()).ask(method, ...params);
		expect(error?.code).toBe(code);
		expect(await sandbox().chain('eth_blockNumber')).toBe(height);
	});

	test('are recorded one by one, beside the handshake', async () => {
		const one = await client();
		await one.exchange([call(1, 'eth_chainId'), call(2, 'eth_chainId')]);
		await one.ask('eth_chainId');
		const seen = (await sandbox().record()).map(({ method, path, calls, status, body }) => [
			`${method} ${path}`,
			calls,
			status,
			body,
		]);
		expect(seen).toEqual([
			['GET /ws', 0, 101, null],
			['WS /ws', 2, null, [call(1, 'eth_chainId'), call(2, 'eth_chainId')]],
			['WS /ws', 1, null, call(1, 'eth_chainId')],
		]);
		const counted = await sandbox().control('GET', '/record/count?path=/ws');
		expect(counted).toEqual({ requests: 3, calls: 3 });
	});
});

describe('subscriptions', () => {
	test('bring every block in order, until they end', async () => {
		const one = await client();
		const { result: id } = await one.ask('eth_subscribe', 'newHeads');
		const numbers = await mined(20);
		expect(await headsAfter(one, 20)).toEqual(numbers);
		expect(one.frames[1]!.params!.subscription).toBe(id);
		expect(await sockets()).toEqual({ open: 1, opened: 1, refused: 0, subscriptions: 1 });
		expect((await one.ask('eth_unsubscribe', id)).result).toBe(true);
		await mined(1);
		await sleep(50);
		expect(one.heads()).toHaveLength(20);
		expect(await sockets()).toMatchObject({ open: 1, subscriptions: 0 });
	});

	test('begin after the answer that names them', async () => {
		const one = await client();
		const ids = new Set<unknown>();
		const subscribing = (async () => {
			while (ids.size < 60) ids.add((await one.ask('eth_subscribe', 'newHeads')).result);
		})();
		while (ids.size < 60) await mined(3);
		await subscribing;
		await mined(2);
		await waitUntil(() => one.getNotifications().length > 60);
		for (const { params, result } of one.frames) {
			if (params) expect(ids).not.toContain(params.subscription);
			else ids.delete(result);
		}
	});

	test('bring transactions and logs', async () => {
		const one = await client();
		await one.ask('eth_subscribe', 'newPendingTransactions');
		const [from] = (await sandbox().chain('eth_accounts')) as string[];
		const { transactionHash } = await sandbox().mined({ from, data: logsOnce });
		expect(await waitUntil(() => one.getNotifications()[0])).toBe(transactionHash);
		const other = await client();
		await other.ask('eth_subscribe', 'logs', { topics: [] });
		const { contractAddress } = await sandbox().mined({ from, data: logsOnce });
		const log = await waitUntil(() => other.getNotifications()[0]);
		expect(log).toMatchObject({ address: contractAddress, removed: false });
	});

	test('are muted, while answers arrive', async () => {
		const one = await subscribed();
		await set({ mute: true });
		await mined(2);
		expect((await one.ask('eth_chainId')).result).toBe('0x7a69');
		await sleep(50);
		expect(one.heads()).toEqual([]);
	});

	test('bring everything twice', async () => {
		const one = await subscribed();
		await set({ duplicate: true });
		const [first, second] = await mined(2);
		expect(await headsAfter(one, 4)).toEqual([first, first, second, second]);
	});

	test('bring the last first', async () => {
		const one = await subscribed();
		await set({ shuffle: true });
		const numbers = await mined(3);
		expect(await headsAfter(one, 3)).toEqual(numbers.reverse());
	});
});
