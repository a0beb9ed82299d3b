import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startSandbox } from '../harness/sandbox.mts';
import { headsAfter, openSockets } from './support/openSockets.mts';
import { waitUntil } from '../harness/until.mts';
import { connected } from './support/socketClient.mts';

const { sandbox, client, subscribed, mined, drop, set, sockets } = openSockets();

test.each([
	['reset', 1006],
	['close', 1001],
])('is dropped by a %s', async (how, code) => {
	const both = [await subscribed(), await client()];
	const ends = both.map((one) => one.ended());
	expect(await drop(how)).toEqual({ dropped: 2 });
	expect(await sockets()).toEqual({ open: 0, opened: 2, refused: 0, subscriptions: 0 });
	expect(await Promise.all(ends)).toEqual([code, code]);
});

test('counts only while the client stays', async () => {
	(await subscribed()).socket.terminate();
	await waitUntil(async () => (await sockets()).open === 0);
	expect(await sockets()).toEqual({ open: 0, opened: 1, refused: 0, subscriptions: 0 });
	expect((await sandbox().record())[0]!.endedAt).not.toBeNull();
});

test('outlives a reset, which forgets the counts', async () => {
	const one = await subscribed();
	await sandbox().reset();
	expect(await sockets()).toEqual({ open: 1, opened: 0, refused: 0, subscriptions: 1 });
	expect((await one.ask('eth_chainId')).result).toBe('0x7a69');
});

test('delays every frame, and keeps their order', async () => {
	const one = await subscribed();
	await set({ delay: 200 });
	const began = performance.now();
	const slow = one.ask('eth_chainId');
	const numbers = await mined(3);
	await sleep(50);
	await set({});
	numbers.push(...(await mined(1)));
	expect(await headsAfter(one, 4)).toEqual(numbers);
	await slow;
	expect(performance.now() - began).toBeGreaterThanOrEqual(199);
});

test('falls silent, and comes back without what the chain said meanwhile', async () => {
	const one = await subscribed();
	await set({ silent: true });
	const late = await client();
	one.socket.ping();
	const signs = [late.ask('eth_chainId'), once(one.socket, 'pong')];
	await mined(2);
	expect(await Promise.race([...signs, sleep(150, 'silence')])).toBe('silence');
	await set({});
	await Promise.all(signs);
	const numbers = await mined(1);
	expect(await headsAfter(one, 1)).toEqual(numbers);
});

test('gives no answer to a close while it is silent', async () => {
	const one = await client();
	await set({ silent: true });
	one.socket.close(1000);
	const end = one.ended();
	expect(await Promise.race([end, sleep(150, 'silence')])).toBe('silence');
	await sandbox().reset();
	expect(await end).toBe(1000);
});

test('is dropped out of silence', async () => {
	const one = await client();
	await set({ silent: true });
	const end = one.ended();
	await drop('close');
	expect(await end).toBe(1001);
});

test('nonsense ends it, and nothing else', async () => {
	const [one, other] = [await client(), await client()];
	const { _socket } = one.socket as unknown as { _socket: Socket };
	_socket.write('nonsense');
	expect(await one.ended()).toBe(1002);
	expect((await other.ask('eth_chainId')).result).toBe('0x7a69');
});

test('a handshake that the client resets ends nothing else', async () => {
	const one = await client();
	await set({ refuse: 'hang' });
	const raw = connect(Number(new URL(sandbox().nodeUrl).port));
	raw.write('GET /ws HTTP/1.1\r\nHost: node\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
	const entry = async () => (await sandbox().record())[1];
	await waitUntil(entry);
	raw.resetAndDestroy();
	await waitUntil(async () => (await entry())?.endedAt);
	expect((await one.ask('eth_chainId')).result).toBe('0x7a69');
});

test('a sandbox with open sockets ends at once', async () => {
	const own = await startSandbox({ chain: true });
	const ends = [await connected(own), await connected(own)].map((one) => one.ended());
	await own.stop();
	expect(await Promise.all(ends)).toEqual([1006, 1006]);
});
