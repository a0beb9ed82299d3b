import type { SocketAddress } from '../../credentials/webSocket';
import type { Caller } from '../core/rpc/chain';
import type { RpcParams } from '../core/rpc/request';
import { asDecimal } from '../core/chain/objects';
import { RequestFailure } from '../core/errors/requestFailure';
import { wait } from '../core/pacing/stop';
import { rpcFailure } from '../core/responses/rpcErrors';
import { tryParseJson } from '../core/values/json';
import { isRecord } from '../core/values/read';
import type { Timing } from './timing';

interface Pending {
	readonly method: string;
	readonly at: number;
	resolve(result: unknown): void;
	reject(failure: RequestFailure): void;
}

/** JSON-RPC over one WebSocket, from its opening to its end. */
export class Connection {
	/** Aborted when the connection is over, for whatever reason. */
	readonly over: AbortSignal;
	/** What the subscription brings; when it brings nothing for a while, the number of the latest block. */
	readonly inbox: Inbox;
	readonly subscription: Subscription;
	/** Why it was ended, if not by the node or by us. */
	failure: unknown;
	private readonly end = new AbortController();
	private readonly pending = new Map<number, Pending>();
	private lastId = 0;
	private heardAt = Date.now();
	private answeredAt = 0;

	private constructor(
		private readonly socket: WebSocket,
		private readonly closing: AbortSignal,
		private readonly timing: Timing,
	) {
		this.over = this.end.signal;
		this.inbox = new Inbox(this.over, timing);
		this.subscription = new Subscription(this.call, (method, params) => {
			if (!this.over.aborted) this.send(method, params);
		});
		socket.binaryType = 'arraybuffer';
		socket.addEventListener('message', this.receive);
		socket.addEventListener('close', this.close);
		socket.addEventListener('error', this.close);
		closing.addEventListener('abort', this.close);
	}

	/** Undefined when the node refused; a node that says nothing at all is a failure. */
	static async open(
		{ url, headers }: SocketAddress,
		closing: AbortSignal,
		timing: Timing,
	): Promise<Connection | undefined> {
		// Node takes headers here; the standard, which the types follow, does not.
		const socket = new WebSocket(url, { headers } as unknown as string[]);
		const connection = new Connection(socket, closing, timing);
		const opened = new AbortController();
		socket.addEventListener('open', () => opened.abort(), { once: true });
		await wait(timing.opening, opened.signal, connection.over);
		if (connection.over.aborted) return undefined;
		if (socket.readyState === WebSocket.OPEN) {
			void connection.keepAlive();
			return connection;
		}
		connection.close();
		const seconds = timing.opening / 1000;
		throw new RequestFailure(`The node did not open a WebSocket within ${seconds} s`, {
			description: 'The node did not respond.',
		});
	}

	readonly call: Caller['call'] = async (method, params) =>
		await new Promise((resolve, reject) => {
			if (this.over.aborted) return reject(lost(method));
			const id = this.send(method, params);
			this.pending.set(id, { method, at: Date.now(), resolve, reject });
		});

	private send(method: string, params: RpcParams): number {
		const id = ++this.lastId;
		this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
		return id;
	}

	readonly close = (): void => {
		if (this.over.aborted) return;
		this.socket.removeEventListener('message', this.receive);
		this.socket.removeEventListener('close', this.close);
		this.socket.removeEventListener('error', this.close);
		this.closing.removeEventListener('abort', this.close);
		this.socket.close();
		this.end.abort();
		for (const { method, reject } of this.pending.values()) reject(lost(method));
		this.pending.clear();
	};

	/** A dead connection looks like a silent one: when nothing comes, the node is asked for a sign of life. */
	private async keepAlive(): Promise<void> {
		while (!this.over.aborted) {
			await wait(this.timing.checking, this.over);
			const [oldest] = this.pending.values();
			const waitsSince = Math.max(oldest?.at ?? Infinity, this.answeredAt);
			if (Date.now() - waitsSince > this.timing.patience) this.close();
			else if (!oldest && Date.now() - this.heardAt > this.timing.silence) this.askForLife();
		}
	}

	/** A node that refuses so simple a question will not go on to tell anything, unless it was asked too often. */
	private askForLife(): void {
		this.call('eth_blockNumber', []).then(this.inbox.put, (failure: RequestFailure) => {
			if (this.over.aborted || failure.retry?.because === 'limit') return;
			this.failure = failure;
			this.close();
		});
	}

	private readonly receive = ({ data }: MessageEvent<unknown>): void => {
		const text = typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString();
		const message = tryParseJson(text);
		for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
			if (isRecord(one)) this.take(one);
		}
	};

	private take({ id, method, params, result, error }: Record<string, unknown>): void {
		if (method === 'eth_subscription' && isRecord(params)) return this.hear(params);
		const call = this.pending.get(Number(id));
		if (!call) return;
		this.heardAt = this.answeredAt = Date.now();
		this.pending.delete(Number(id));
		if (error !== undefined && error !== null) call.reject(rpcFailure(call.method, error));
		else call.resolve(result);
	}

	private hear({ subscription, result }: Record<string, unknown>): void {
		if (!this.subscription.isMeantBy(subscription)) return;
		this.heardAt = Date.now();
		this.inbox.put(result);
	}
}

function lost(method: string): RequestFailure {
	return new RequestFailure('The connection to the node was lost', {
		description: `${method} was not answered.`,
		retry: { because: 'lost' },
	});
}

/** More than comes while a trigger is busy. The oldest are given up: the chain is read where announcements are missing. */
const ROOM = 10_000;

/** What has arrived and was not yet dealt with. */
export class Inbox {
	private messages: unknown[] = [];
	private wake: () => void = () => {};
	private takenAt = 0;

	constructor(
		private readonly over: AbortSignal,
		private readonly timing: Timing,
	) {
		over.addEventListener('abort', () => this.wake());
	}

	readonly put = (message: unknown): void => {
		if (this.messages.length === ROOM) this.messages.shift();
		this.messages.push(message);
		this.wake();
	};

	/**
	 * Waits until something is there. What follows closely on something else is gathered: n8n starts executions side by
	 * side, so that only the items of one are sure to keep their order. Nothing comes when it is over.
	 */
	async takeAll(): Promise<unknown[]> {
		if (this.messages.length === 0 && !this.over.aborted) {
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		const { gathering } = this.timing;
		const rest = this.takenAt + gathering - Date.now();
		if (rest > 0) await wait(Math.min(rest, gathering), this.over);
		this.takenAt = Date.now();
		return this.messages.splice(0);
	}
}

/** What a connection is subscribed to. Gateways send what was not asked for, and lose subscriptions without a word. */
export class Subscription {
	private to = '';
	/** As the node calls it. Until it is known, every notification counts as ours. */
	private name: unknown;

	constructor(
		private readonly call: Caller['call'],
		/** Says something to the node without waiting for an answer. */
		private readonly say: (method: string, params: RpcParams) => void,
	) {}

	async begin(to: string): Promise<void> {
		this.to = to;
		this.name = undefined;
		this.name = await this.call('eth_subscribe', [to]);
	}

	async renew(): Promise<void> {
		const { name } = this;
		await this.begin(this.to);
		this.say('eth_unsubscribe', [name]);
	}

	isMeantBy(name: unknown): boolean {
		return (
			this.name === undefined || this.name === null || formatted(this.name) === formatted(name)
		);
	}
}

/** Nodes spell the same name in more than one way. */
function formatted(name: unknown): string {
	return asDecimal(name) ?? String(name);
}
