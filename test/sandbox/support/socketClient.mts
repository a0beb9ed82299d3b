import { once } from 'node:events';
import { WebSocket } from 'ws';
import type { Sandbox } from '../../harness/sandbox.mts';
import { waitUntil } from '../../harness/until.mts';

interface Frame {
	readonly id?: number | null;
	readonly result?: unknown;
	readonly error?: { readonly code: number; readonly message: string };
	readonly params?: { readonly subscription: string; readonly result: unknown };
}

/** A client of the sandbox's WebSockets. It keeps every frame that it receives. */
export class SocketClient {
	readonly frames: Frame[] = [];
	readonly socket: WebSocket;
	private asked = 0;

	constructor(url: string, authorization?: string) {
		this.socket = new WebSocket(url, { headers: authorization ? { authorization } : {} });
		this.socket.on('message', (data) => this.frames.push(JSON.parse(String(data))));
		this.socket.on('error', () => {});
	}

	/** Sends a call or a batch, and returns the next frame that is no notification. */
	async exchange(body: unknown): Promise<Frame> {
		const isAnswer = ({ params }: Frame) => !params;
		const before = this.frames.filter(isAnswer).length;
		this.socket.send(JSON.stringify(body));
		return await waitUntil(() => this.frames.filter(isAnswer)[before]);
	}

	async ask(method: string, ...params: unknown[]): Promise<Frame> {
		this.asked += 1;
		return await this.exchange({ jsonrpc: '2.0', id: this.asked, method, params });
	}

	/** Returns the notifications. */
	getNotifications(): unknown[] {
		return this.frames.flatMap(({ params }) => (params ? [params.result] : []));
	}

	/** Returns the numbers of the blocks in notifications. */
	heads(): number[] {
		return (this.getNotifications() as { number: string }[]).map(({ number }) => Number(number));
	}

	/** Waits for the end of the socket. Returns the code of its close frame, or 1006 if there was none. */
	async ended(): Promise<number> {
		const [code] = (await once(this.socket, 'close')) as [number];
		return code;
	}
}

export const socketUrl = ({ nodeUrl }: Sandbox, path: string) =>
	nodeUrl.replace(/^http/, 'ws') + path;

export async function connected(sandbox: Sandbox): Promise<SocketClient> {
	const client = new SocketClient(socketUrl(sandbox, `/ws/${sandbox.authToken}`));
	await once(client.socket, 'open');
	return client;
}

/** Tries a handshake. Returns its status with the beginning of the page, or the error of the connection. */
export async function handshake(url: string, authorization?: string): Promise<string> {
	const { socket } = new SocketClient(url, authorization);
	const answer = new Promise<string>((resolve) => {
		socket.once('open', () => resolve('101'));
		socket.once('unexpected-response', async (_request, response) => {
			const page = (await response.toArray()).join('');
			resolve(`${response.statusCode} ${page.slice(0, 6)}`.trim());
		});
		socket.once('error', ({ message }) => resolve(message));
	});
	return await answer.finally(() => socket.terminate());
}
