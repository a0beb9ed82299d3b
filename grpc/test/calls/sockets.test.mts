import { createServer, type AddressInfo, type Socket } from 'node:net';
import { callOf, runAt } from '../support/lyingServer.mts';
import { waitUntil } from '../support/grpcSandbox.mts';

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

describe.each([
	['with TLS', true],
	['without TLS', false],
])('a server that accepts and stays silent, %s', (_, tls) => {
	test('is not reached in time, and no socket stays open', async () => {
		const found = await runAt(endpoint, callOf('Do', {}, { timeout: 300 }), {
			credential: { tls },
		});
		expect(found.message).toBe('The endpoint could not be reached in time');
		expect(found.description).toMatch(/Use TLS/);
		expect(found.description).not.toMatch(/carried out/);
		await waitUntil(async () => open.size === 0);
	});

	test('is left when the execution is stopped', async () => {
		await runAt(endpoint, callOf('Do'), { credential: { tls }, stopAfter: 200 });
		await waitUntil(async () => open.size === 0);
	});
});
