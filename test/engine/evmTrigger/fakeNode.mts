import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { hex } from './scene.mts';

export interface Call {
	readonly id: number;
	readonly method: string;
	readonly params: readonly unknown[];
}

/** Leaves a call without an answer. */
export const SILENCE = Symbol('silence');

/** What the node answers to a call; what it throws is the JSON-RPC error. */
export type Answer = (call: Call, client: WebSocket) => unknown;

/** A block of a chain that is made up, and always the same; from a fork on, one of another branch. */
export const header = (number: number, fork = Infinity) => ({
	number: hex(number),
	hash: hashOf(number, fork),
	parentHash: hashOf(number - 1, fork),
	timestamp: hex(number),
	logsBloom: '0x',
});

const hashOf = (number: number, fork: number) =>
	`0x${number.toString(16).padStart(64, number < fork ? 'b' : 'c')}`;

const KNOWN: Record<string, (node: FakeNode, params: readonly unknown[]) => unknown> = {
	eth_subscribe: () => '0x1',
	eth_chainId: () => '0x1',
	eth_blockNumber: ({ height }) => hex(height),
	eth_getBlockByNumber: ({ height }, [block]) => {
		const number = block === 'latest' ? height : Number(block);
		return number > height ? null : header(number);
	},
	eth_getLogs: () => [],
};

/** A node without manners: it answers, says and does whatever a test wants. */
export class FakeNode {
	height = 10;
	host = '';
	readonly handshakes: IncomingMessage[] = [];
	readonly calls: Call[] = [];
	private answers: Readonly<Record<string, Answer>> = {};
	private server: WebSocketServer | undefined;

	async start(): Promise<void> {
		this.server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
		this.server.on('connection', (client, request) => this.welcome(client, request));
		await once(this.server, 'listening');
		this.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	get credentials() {
		return { chainNodeTokenApi: { nodeUrl: `http://${this.host}`, authToken: TOKEN } };
	}

	/** Answers these methods in another way from now on. */
	answering(answers: Readonly<Record<string, Answer>>): void {
		this.answers = answers;
	}

	/** Sends this to everybody, as it is if it is text or bytes. */
	say(frame: unknown): void {
		const isRaw = typeof frame === 'string' || Buffer.isBuffer(frame);
		for (const client of this.clients) client.send(isRaw ? frame : JSON.stringify(frame));
	}

	announce(result: unknown): void {
		const params = { subscription: '0x1', result };
		this.say({ jsonrpc: '2.0', method: 'eth_subscription', params });
	}

	/** Goes on by so many blocks, and announces them. */
	mine(count = 1): void {
		for (let left = count; left > 0; left--) this.announce(header(++this.height));
	}

	get clients(): Set<WebSocket> {
		return this.server?.clients ?? new Set();
	}

	/** What is done with every new connection, before anything else. */
	onWelcome: (client: WebSocket) => void = () => {};

	cut(): void {
		for (const client of this.clients) client.terminate();
	}

	reset(): void {
		this.answers = {};
		this.onWelcome = () => {};
		this.calls.length = this.handshakes.length = 0;
		this.height = 10;
		this.cut();
	}

	async stop(): Promise<void> {
		this.cut();
		await new Promise((resolve) => this.server?.close(resolve));
	}

	private welcome(client: WebSocket, request: IncomingMessage): void {
		this.handshakes.push(request);
		client.on('error', () => {});
		client.on('message', (data) => this.reply(JSON.parse(String(data)) as Call, client));
		this.onWelcome(client);
	}

	private reply(call: Call, client: WebSocket): void {
		this.calls.push(call);
		try {
			const own = this.answers[call.method];
			const result = own ? own(call, client) : KNOWN[call.method]?.(this, call.params);
			if (result !== SILENCE) client.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, result }));
		} catch (error) {
			client.send(JSON.stringify({ jsonrpc: '2.0', id: call.id, error }));
		}
	}
}

export const TOKEN = 'token-of-the-fake-node';

/** A node for one test file, or one group in it, well-behaved at the beginning of each test. */
export function fakeNode(): FakeNode {
	const node = new FakeNode();
	beforeAll(async () => await node.start());
	afterAll(async () => await node.stop());
	beforeEach(() => node.reset());
	return node;
}
