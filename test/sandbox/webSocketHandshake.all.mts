import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { createSandbox, startSandbox } from '../harness/sandbox.mts';
import { handshake, socketUrl } from './support/socketClient.mts';

const sandbox = createSandbox({ chain: true });
let path: string;

beforeAll(async () => {
	path = `/ws/${sandbox.authToken}`;
});

const sockets = async () => await sandbox.control('GET', '/sockets');
const set = async (settings: object) => await sandbox.control('PUT', '/sockets', settings);
const basic = (password: string) =>
	`Basic ${Buffer.from(`${sandbox.username}:${password}`).toString('base64')}`;
const shake = async (at: string, authorization?: string) =>
	await handshake(socketUrl(sandbox, at), authorization);
const get = async (at: string, authorization?: string) => {
	const headers = authorization ? { authorization } : {};
	const response = await request(sandbox.nodeUrl + at, { headers });
	await response.body.dump();
	return response.statusCode;
};

test('takes a token in the path or basic authentication, not both', async () => {
	expect(await shake(path)).toBe('101');
	expect(await shake('/ws', basic(sandbox.password))).toBe('101');
	expect(await shake(path, basic(sandbox.password))).toBe('401 <html>');
	expect(await shake(`${path}x`)).toBe('401 <html>');
	expect(await shake('/ws', basic('wrong'))).toBe('401 <html>');
	expect(await shake('/ws')).toBe('401 <html>');
	expect(await shake(`/${sandbox.authToken}/ws`)).toMatch(/^404/);
	expect(await shake(`${path}?a=1`)).toMatch(/^400/);
	expect(await sockets()).toMatchObject({ opened: 2, refused: 6 });
});

test('without an upgrade says whether the credential is right', async () => {
	expect(await get(path)).toBe(426);
	expect(await get('/ws', basic(sandbox.password))).toBe(426);
	expect(await get('/ws/wrong')).toBe(401);
	expect(await get(`/${sandbox.authToken}`)).toBe(405);
	expect(await sockets()).toMatchObject({ opened: 0, refused: 0 });
});

test.each([401, 403, 429, 503])('is refused with %i, as is the question why', async (refuse) => {
	await set({ refuse });
	expect(await shake(path)).toMatch(new RegExp(`^${refuse} `));
	expect(await get(path)).toBe(refuse);
	expect(await sockets()).toMatchObject({ opened: 0, refused: 1 });
});

test('is reset', async () => {
	await set({ refuse: 'reset' });
	expect(await shake(path)).toBe('read ECONNRESET');
	await expect(get(path)).rejects.toThrow();
	expect(await sockets()).toMatchObject({ opened: 0, refused: 1 });
});

test('is never answered', async () => {
	await set({ refuse: 'hang' });
	const silence = sleep(200, 'silence');
	expect(await Promise.race([shake(path), get(path), silence])).toBe('silence');
	expect(await sockets()).toMatchObject({ opened: 0, refused: 1 });
});

test('meets the faults of the node', async () => {
	await sandbox.fault({ method: 'GET', path: '^/ws$', do: { status: 502 } });
	expect(await shake(path)).toMatch(/^502/);
	expect(await shake(path)).toBe('101');
});

test('is at another path on request', async () => {
	await set({ path: '/streams' });
	expect(await shake(`/streams/${sandbox.authToken}`)).toBe('101');
	expect(await shake('/streams', basic(sandbox.password))).toBe('101');
	expect(await shake(path)).toMatch(/^404/);
});

test('needs a chain', async () => {
	const chainless = await startSandbox();
	const path = `/ws/${chainless.authToken}`;
	expect(await handshake(socketUrl(chainless, path))).toMatch(/^503/);
	await chainless.stop();
});
