import type { IncomingMessage } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { EvmChain } from './evmChain.mts';
import { answerCalls, TestServer, type RpcCall as Call } from './server.mts';

export type { RpcCall as Call } from './server.mts';

/** If an answer function returns this symbol, the fake node sends no answer to the call. */
export const NO_ANSWER = Symbol('silence');

/** Returns the node's answer to a call. A thrown error becomes the JSON-RPC error. */
export type Answer = (call: Call, client: WebSocket) => unknown;

/** A call over HTTP has no WebSocket client, so its answer function gets undefined. */
const NO_CLIENT = undefined as unknown as WebSocket;

export const AUTH_TOKEN = 'token-of-the-fake-node';

/**
 * A fake chain node that serves a chain over HTTP and WebSockets. A test can replace its answers and make it send any
 * message.
 */
export class FakeNode extends EvmChain {
	host = '';
	/** The special answers to some methods. They replace the normal answers. */
	answers: Record<string, Answer> = {};
	readonly handshakes: IncomingMessage[] = [];
	readonly calls: Call[] = [];
	/** The fake node calls this function with each new client, before it answers the client's first call. */
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

	/** Replaces all special answers by the given answers. Methods without a special answer are answered correctly. */
	setAnswers(answers: Readonly<Record<string, Answer>>): void {
		this.answers = { ...answers };
	}

	countCalls(method: string): number {
		return this.calls.filter((call) => call.method === method).length;
	}

	/** Answers as the chain is. */
	readonly truth = ({ method, params }: Call): unknown =>
		method.endsWith('subscribe') ? '0x1' : this.call(method, params);

	/** Sends a message to all clients. Text and bytes are sent unchanged, and other values as JSON. */
	send(frame: unknown): void {
		const isRaw = typeof frame === 'string' || Buffer.isBuffer(frame);
		for (const client of this.clients) client.send(isRaw ? frame : JSON.stringify(frame));
	}

	announce(result: unknown): void {
		const params = { subscription: '0x1', result };
		this.send({ jsonrpc: '2.0', method: 'eth_subscription', params });
	}

	/** Adds `count` blocks and announces each of them. */
	mine(count = 1): void {
		for (let left = count; left > 0; left--) this.jumpTo(this.height + 1);
	}

	/**
	 * Makes the block at `height` the newest, and announces only that block. From `fork` on, the blocks belong to a new
	 * branch.
	 */
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

/** Creates a fake node for a test file or a group of tests. Each test begins with a node that answers correctly. */
export function createFakeNode(): FakeNode {
	const node = new FakeNode();
	beforeAll(async () => await node.start());
	afterAll(async () => await node.stop());
	beforeEach(() => node.reset());
	return node;
}
