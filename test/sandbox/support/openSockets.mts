import { createSandbox } from '../../harness/sandbox.mts';
import { waitUntil } from '../../harness/until.mts';
import { connected, type SocketClient } from './socketClient.mts';

/** Creates a sandbox for one test file. Its WebSocket clients are closed after each test. */
export function openSockets() {
	const sandbox = createSandbox({ chain: true });
	let clients: SocketClient[] = [];

	afterEach(async () => {
		await drop('reset');
		for (const { socket } of clients) socket.terminate();
		clients = [];
	});

	async function client(): Promise<SocketClient> {
		const opened = await connected(sandbox);
		clients.push(opened);
		return opened;
	}

	async function subscribed(): Promise<SocketClient> {
		const opened = await client();
		await opened.ask('eth_subscribe', 'newHeads');
		return opened;
	}

	/** Mines blocks, and returns their numbers. */
	async function mined(count: number): Promise<number[]> {
		const height = Number(await sandbox.chain('eth_blockNumber'));
		await sandbox.chain('anvil_mine', `0x${count.toString(16)}`);
		return Array.from({ length: count }, (_, index) => height + index + 1);
	}

	const drop = async (how: string) => await sandbox.control('POST', '/sockets/drop', { how });

	return {
		sandbox: () => sandbox,
		client,
		subscribed,
		mined,
		drop,
		set: async (settings: object) => await sandbox.control('PUT', '/sockets', settings),
		sockets: async () => (await sandbox.control('GET', '/sockets')) as { open: number },
	};
}

export async function headsAfter(client: SocketClient, count: number): Promise<number[]> {
	return await waitUntil(() => client.heads().length >= count && client.heads());
}
