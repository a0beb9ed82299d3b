import type { IncomingMessage } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { EvmChain } from './evmChain.mts';
import { answerCalls, TestServer, type RpcCall as Call } from './server.mts';

export type { RpcCall as Call } from './server.mts';

/** Leaves a call without an answer. */
export const NO_ANSWER = Symbol('silence');

/** The node's answer to a call; an error that it throws becomes the JSON-RPC error. */
export type Answer = (call: Call, client: WebSocket) => unknown;

/** Over HTTP, the function gets no client. */
const NO_CLIENT = undefined as unknown as WebSocket;

export const AUTH_TOKEN = 'token-of-the-fake-node';

/** The model of a chain, served over HTTP and WebSockets. It lies where a test replaces its answers, and sends whatever a test wants. */
export class FakeNode extends EvmChain {
	host = '';
	/** Answers to these methods, which replace the usual ones. */
	answers: Record<string, Answer> = {};
	readonly handshakes: IncomingMessage[] = [];
	readonly calls: Call[] = [];
	/** The node calls this function with every new connection, before anything else. */
	onWelcome: (client: WebSocket) => void = () => {};
	private readonly server = new TestServer((received, response) =>
		answerCalls(received, response, (call) => this.reply(call, NO_CLIENT) ?? {}),
	);
	private readonly sockets = new WebSocketServer({ server: this.server.http });

	async start(): Promise<void> {
		this.sockets.on('connection', (client, request) => this.accept(client, request));
		await this.server.start();
		this.host = new URL(this.server.url).host;
	}

	get credentials() {
		return { chainNodeTokenApi: { nodeUrl: `http://${this.host}`, authToken: AUTH_TOKEN } };
	}

	get clients(): Set<WebSocket> {
		return this.sockets.clients;
	}

	/** Replaces the answers to these methods from now on. */
	setAnswers(answers: Readonly<Record<string, Answer>>): void {
		this.answers = { ...answers };
	}

	countCalls(method: string): number {
		return this.calls.filter((call) => call.method === method).length;
	}

	/** Answers as the chain is. */
	readonly truth = ({ method, params }: Call): unknown =>
		method.endsWith('subscribe') ? '0x1' : this.call(method, params);

	/** Sends this to all clients; text and bytes are sent unchanged. */
	send(frame: unknown): void {
		const isRaw = typeof frame === 'string' || Buffer.isBuffer(frame);
		for (const client of this.clients) client.send(isRaw ? frame : JSON.stringify(frame));
	}

	announce(result: unknown): void {
		const params = { subscription: '0x1', result };
		this.send({ jsonrpc: '2.0', method: 'eth_subscription', params });
	}

	/** Adds this many blocks, and announces them. */
	mine(count = 1): void {
		for (let left = count; left > 0; left--) this.jumpTo(this.height + 1);
	}

	/** Makes this block the head, of another branch from a fork on, and announces it alone. */
	jumpTo(height: number, fork = Infinity): void {
		if (fork < Infinity) this.reorganize(fork);
		this.height = height;
		this.announce(this.buildBlock(height));
	}

	disconnect(): void {
		for (const client of this.clients) client.terminate();
	}

	reset(): void {
		this.answers = {};
		this.onWelcome = () => {};
		this.calls.length = this.handshakes.length = this.server.received.length = 0;
		Object.assign(this, new EvmChain());
		this.disconnect();
	}

	async stop(): Promise<void> {
		this.disconnect();
		await this.server.stop();
	}

	private accept(client: WebSocket, request: IncomingMessage): void {
		this.handshakes.push(request);
		client.on('error', () => {});
		client.on('message', (data) => {
			const reply = this.reply(JSON.parse(String(data)) as Call, client);
			if (reply) client.send(JSON.stringify(reply));
		});
		this.onWelcome(client);
	}

	private reply(call: Call, client: WebSocket): object | undefined {
		this.calls.push(call);
		const reply = { jsonrpc: '2.0', id: call.id };
		try {
			const result = (this.answers[call.method] ?? this.truth)(call, client);
			return result === NO_ANSWER ? undefined : { ...reply, result };
		} catch (error) {
			return { ...reply, error };
		}
	}
}

/** A node for one test file, or one group in it, which answers correctly at the beginning of each test. */
export function createFakeNode(): FakeNode {
	const node = new FakeNode();
	beforeAll(async () => await node.start());
	afterAll(async () => await node.stop());
	beforeEach(() => node.reset());
	return node;
}
