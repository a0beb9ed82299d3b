import type { SocketAddress } from '../../credentials/webSocket';
import type { RpcCaller } from '../core/chain/reader';
import type { RpcParams } from '../core/protocols/rpc/request';
import { quantityToDecimal } from '../core/evm/chainObjects';
import { RequestFailure } from '../core/errors/requestFailure';
import { wait } from '../core/net/pacing/stop';
import { rpcError } from '../core/net/responses/rpcErrors';
import { tryParseJson } from '../core/values/json';
import { isRecord } from '../core/values/parse';

/** In milliseconds. */
export interface ConnectionTiming {
	/** The time limit of the handshake. */
	readonly openingMs: number;
	/** The interval between two health checks. */
	readonly checkIntervalMs: number;
	/** A connection is pinged after it was idle for this long. */
	readonly idleMs: number;
	/** The connection is closed if a request gets no answer for this long. */
	readonly requestTimeoutMs: number;
	/** Messages that follow each other within this time are handled together. */
	readonly gatheringMs: number;
}

/** A connection for JSON-RPC over a WebSocket, from the handshake to the close. */
export class Connection {
	/** Aborted when either side closes the connection. */
	readonly closed: AbortSignal;
	/** Holds the notifications of the subscription, and the block numbers that the pings return. */
	readonly inbox: Inbox;
	readonly subscription: Subscription;
	/** The node's refusal of a ping, if it has closed the connection. */
	failure: unknown;
	readonly call: RpcCaller['call'];
	private readonly closer = new AbortController();
	private readonly requests: Requests;
	private heardAt = Date.now();
	private answeredAt = 0;

	private constructor(
		private readonly socket: WebSocket,
		private readonly closing: AbortSignal,
		private readonly timing: ConnectionTiming,
	) {
		this.closed = this.closer.signal;
		this.inbox = new Inbox(this.closed, timing);
		this.requests = new Requests(socket, this.closed);
		this.call = this.requests.call;
		this.subscription = new Subscription(this.requests);
		socket.binaryType = 'arraybuffer';
		socket.addEventListener('message', this.receive);
		socket.addEventListener('close', this.close);
		socket.addEventListener('error', this.close);
		closing.addEventListener('abort', this.close);
	}

	/** Opens a connection. Returns undefined if the handshake failed, and throws if it took too long. */
	static async open(
		{ url, headers }: SocketAddress,
		closing: AbortSignal,
		timing: ConnectionTiming,
	): Promise<Connection | undefined> {
		// The WebSocket of Node.js takes headers as its second argument, but the types know only the web standard.
		const socket = new WebSocket(url, { headers } as unknown as string[]);
		const connection = new Connection(socket, closing, timing);
		const opened = new AbortController();
		socket.addEventListener('open', () => opened.abort(), { once: true });
		await wait(timing.openingMs, opened.signal, connection.closed);
		if (connection.closed.aborted) return undefined;
		if (socket.readyState === WebSocket.OPEN) {
			void connection.keepAlive();
			return connection;
		}
		connection.close();
		const seconds = timing.openingMs / 1000;
		throw new RequestFailure(`The chain node did not open a WebSocket within ${seconds} s`, {
			description: 'The chain node did not respond.',
		});
	}

	readonly close = (): void => {
		if (this.closed.aborted) return;
		this.socket.removeEventListener('message', this.receive);
		this.socket.removeEventListener('close', this.close);
		this.socket.removeEventListener('error', this.close);
		this.closing.removeEventListener('abort', this.close);
		this.socket.close();
		this.closer.abort();
	};

	/** Sends a ping when the connection is idle: only a ping shows that an idle connection is still alive. */
	private async keepAlive(): Promise<void> {
		while (!this.closed.aborted) {
			await wait(this.timing.checkIntervalMs, this.closed);
			const { pendingSince } = this.requests;
			const waitingSince = Math.max(pendingSince, this.answeredAt);
			if (Date.now() - waitingSince > this.timing.requestTimeoutMs) this.close();
			else if (pendingSince === Infinity && Date.now() - this.heardAt > this.timing.idleMs)
				this.ping();
		}
	}

	/**
	 * Asks for the block number. If the node refuses, the connection is closed, except when the reason is a rate
	 * limit.
	 */
	private ping(): void {
		this.call('eth_blockNumber', []).then(this.inbox.put, (failure: RequestFailure) => {
			if (this.closed.aborted || failure.retry?.because === 'limit') return;
			this.failure = failure;
			this.close();
		});
	}

	private readonly receive = ({ data }: MessageEvent<unknown>): void => {
		const text = typeof data === 'string' ? data : Buffer.from(data as ArrayBuffer).toString();
		const message = tryParseJson(text);
		for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
			if (isRecord(one)) this.dispatch(one);
		}
	};

	private dispatch(message: Record<string, unknown>): void {
		const { method, params } = message;
		if (method === 'eth_subscription' && isRecord(params)) return this.handleNotification(params);
		if (this.requests.settle(message)) this.heardAt = this.answeredAt = Date.now();
	}

	private handleNotification({ subscription, result }: Record<string, unknown>): void {
		if (!this.subscription.matches(subscription)) return;
		this.heardAt = Date.now();
		this.inbox.put(result);
	}
}

interface PendingRequest {
	readonly method: string;
	readonly sentAt: number;
	resolve(result: unknown): void;
	reject(failure: RequestFailure): void;
}

/** The functions of a connection that a subscription uses. */
interface Requester extends RpcCaller {
	/** Sends a request, and ignores its answer. */
	send(method: string, params: RpcParams): void;
}

/** Sends requests over a WebSocket until it is closed, and hands each answer to its request. */
class Requests implements Requester {
	private readonly pending = new Map<number, PendingRequest>();
	private lastId = 0;

	constructor(
		private readonly socket: WebSocket,
		private readonly closed: AbortSignal,
	) {
		closed.addEventListener('abort', () => this.rejectAll());
	}

	readonly call: RpcCaller['call'] = async (method, params) =>
		await new Promise((resolve, reject) => {
			if (this.closed.aborted) return reject(connectionLostError(method));
			this.send(method, params);
			this.pending.set(this.lastId, { method, sentAt: Date.now(), resolve, reject });
		});

	send(method: string, params: RpcParams): void {
		if (this.closed.aborted) return;
		const id = ++this.lastId;
		this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
	}

	/** The time when the oldest unanswered request was sent, or Infinity if every request has its answer. */
	get pendingSince(): number {
		const [oldest] = this.pending.values();
		return oldest?.sentAt ?? Infinity;
	}

	/** Gives an answer to the request with its ID. Returns false if no such request is waiting. */
	settle({ id, result, error }: Record<string, unknown>): boolean {
		const request = this.pending.get(Number(id));
		if (!request) return false;
		this.pending.delete(Number(id));
		if (error !== undefined && error !== null) request.reject(rpcError(request.method, error));
		else request.resolve(result);
		return true;
	}

	private rejectAll(): void {
		for (const { method, reject } of this.pending.values()) reject(connectionLostError(method));
		this.pending.clear();
	}
}

function connectionLostError(method: string): RequestFailure {
	return new RequestFailure('The connection to the chain node was lost', {
		description: `${method} was not answered.`,
		retry: { because: 'lost' },
	});
}

/**
 * The inbox holds at most this many messages, and drops the oldest. If announcements are missing, the trigger reads
 * the chain instead.
 */
const MAX_INBOX_MESSAGES = 10_000;

/** Holds the messages that the trigger has not handled yet. */
export class Inbox {
	private messages: unknown[] = [];
	private wake: () => void = () => {};
	private takenAt = 0;

	constructor(
		private readonly closed: AbortSignal,
		private readonly timing: ConnectionTiming,
	) {
		closed.addEventListener('abort', () => this.wake());
	}

	readonly put = (message: unknown): void => {
		if (this.messages.length === MAX_INBOX_MESSAGES) this.messages.shift();
		this.messages.push(message);
		this.wake();
	};

	/**
	 * Waits for a message, and also takes the messages that follow soon after. They belong in one execution, because
	 * n8n runs executions side by side and mixes their order. Returns an empty list when the connection is closed.
	 */
	async takeAll(): Promise<unknown[]> {
		if (this.messages.length === 0 && !this.closed.aborted) {
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		const { gatheringMs } = this.timing;
		const rest = this.takenAt + gatheringMs - Date.now();
		if (rest > 0) await wait(Math.min(rest, gatheringMs), this.closed);
		this.takenAt = Date.now();
		return this.messages.splice(0);
	}
}

/**
 * A subscription to announcements of the node. It ignores notifications for other subscriptions, which gateways
 * sometimes send, and can be renewed.
 */
export class Subscription {
	private kind = '';
	/** The ID of the subscription, as the node writes it. Until it is known, every notification matches. */
	private id: unknown;

	constructor(private readonly requester: Requester) {}

	async subscribe(kind: string): Promise<void> {
		this.kind = kind;
		this.id = undefined;
		this.id = await this.requester.call('eth_subscribe', [kind]);
	}

	async renew(): Promise<void> {
		const { id } = this;
		await this.subscribe(this.kind);
		this.requester.send('eth_unsubscribe', [id]);
	}

	matches(id: unknown): boolean {
		return this.id === undefined || this.id === null || formatId(this.id) === formatId(id);
	}
}

/** Writes an ID as a decimal, because nodes spell the same ID as a number, as hex, and with leading zeros. */
function formatId(id: unknown): string {
	return quantityToDecimal(id) ?? String(id);
}
