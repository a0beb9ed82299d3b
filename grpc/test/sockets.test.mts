import { createServer, type AddressInfo, type Socket } from 'node:net';
import { callOf, runAt } from './lyingServer.mts';

const open = new Set<Socket>();
const server = createServer((socket) => {
	open.add(socket);
	socket.on('close', () => open.delete(socket));
	socket.on('error', () => {});
	socket.resume();
});
let endpoint = '';

beforeAll(async () => {
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	endpoint = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const within = async (milliseconds: number) => {
	const end = Date.now() + milliseconds;
	while (open.size > 0 && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
	return open.size;
};

describe.each([
	['with TLS', true],
	['without TLS', false],
])('a server that accepts and stays silent, %s', (_, tls) => {
	test('is not reached in time, and no socket stays open', async () => {
		const found = await runAt(endpoint, callOf('Do', {}, { timeout: 300 }), {
			credential: { tls },
		});
		expect(found.message).toBe('The endpoint cannot be reached in time');
		expect(found.description).toMatch(/Use TLS/);
		expect(found.description).not.toMatch(/carried out/);
		expect(await within(1000)).toBe(0);
	});

	test('is left when the execution is stopped', async () => {
		await runAt(endpoint, callOf('Do'), { credential: { tls }, stopAfter: 200 });
		expect(await within(1000)).toBe(0);
	});
});
