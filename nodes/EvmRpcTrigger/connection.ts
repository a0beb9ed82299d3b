import type { SocketAddress } from '../../credentials/webSocket';
import type { Caller } from '../core/transport/rpc/chain';
import type { RpcParams } from '../core/transport/rpc/request';
import { quantityToDecimal } from '../core/evm/objects';
import { RequestFailure } from '../core/errors/requestFailure';
import { wait } from '../core/transport/pacing/stop';
import { rpcError } from '../core/transport/responses/rpcErrors';
import { tryParseJson } from '../core/values/json';
import { isRecord } from '../core/values/read';

/** In milliseconds. */
export interface ConnectionTiming {
	/** Handshake timeout. */
	readonly openingMs: number;
	/** Interval of the health check. */
	readonly checkIntervalMs: number;
	/** Idle for so long: ping. */
	readonly idleMs: number;
	/** Unanswered for so long: the connection is dead. */
	readonly requestTimeoutMs: number;
	/** Messages within this time of each other are handled together. */
	readonly gatheringMs: number;
}

interface PendingRequest {
	readonly method: string;
	readonly sentAt: number;
	resolve(result: unknown): void;
	reject(failure: RequestFailure): void;
}

/** JSON-RPC over one WebSocket, from the handshake to the close. */
export class Connection {
	/** Aborted when it is closed, by whomever. */
	readonly closed: AbortSignal;
	/** The subscription's notifications, and the block numbers that pings return. */
	readonly inbox: Inbox;
	readonly subscription: Subscription;
	/** Set when it was closed because the node refused a ping. */
	failure: unknown;
	private readonly closer = new AbortController();
	private readonly pending = new Map<number, PendingRequest>();
	private lastId = 0;
	private heardAt = Date.now();
	private answeredAt = 0;

	private constructor(
		private readonly socket: WebSocket,
		private readonly closing: AbortSignal,
		private readonly timing: ConnectionTiming,
	) {
		this.closed = this.closer.signal;
		this.inbox = new Inbox(this.closed, timing);
		this.subscription = new Subscription(this.call, (method, params) => {
			if (!this.closed.aborted) this.send(method, params);
		});
		socket.binaryType = 'arraybuffer';
		socket.addEventListener('message', this.receive);
		socket.addEventListener('close', this.close);
		socket.addEventListener('error', this.close);
		closing.addEventListener('abort', this.close);
	}

	/** Undefined if the handshake failed; throws if it timed out. */
	static async open(
		{ url, headers }: SocketAddress,
		closing: AbortSignal,
		timing: ConnectionTiming,
	): Promise<Connection | undefined> {
		// Node takes headers here; the standard, which the types follow, does not.
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
		throw new RequestFailure(`The node did not open a WebSocket within ${seconds} s`, {
			description: 'The node did not respond.',
		});
	}

	readonly call: Caller['call'] = async (method, params) =>
		await new Promise((resolve, reject) => {
			if (this.closed.aborted) return reject(connectionLostError(method));
			const id = this.send(method, params);
			this.pending.set(id, { method, sentAt: Date.now(), resolve, reject });
		});

	private send(method: string, params: RpcParams): number {
		const id = ++this.lastId;
		this.socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
		return id;
	}

	readonly close = (): void => {
		if (this.closed.aborted) return;
		this.socket.removeEventListener('message', this.receive);
		this.socket.removeEventListener('close', this.close);
		this.socket.removeEventListener('error', this.close);
		this.closing.removeEventListener('abort', this.close);
		this.socket.close();
		this.closer.abort();
		for (const { method, reject } of this.pending.values()) reject(connectionLostError(method));
		this.pending.clear();
	};

	/** Idle and dead look alike: ping. */
	private async keepAlive(): Promise<void> {
		while (!this.closed.aborted) {
			await wait(this.timing.checkIntervalMs, this.closed);
			const [oldest] = this.pending.values();
			const waitingSince = Math.max(oldest?.sentAt ?? Infinity, this.answeredAt);
			if (Date.now() - waitingSince > this.timing.requestTimeoutMs) this.close();
			else if (!oldest && Date.now() - this.heardAt > this.timing.idleMs) this.ping();
		}
	}

	/** A node that refuses even this is of no use, unless it is rate limiting. */
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

	private dispatch({ id, method, params, result, error }: Record<string, unknown>): void {
		if (method === 'eth_subscription' && isRecord(params)) return this.handleNotification(params);
		const call = this.pending.get(Number(id));
		if (!call) return;
		this.heardAt = this.answeredAt = Date.now();
		this.pending.delete(Number(id));
		if (error !== undefined && error !== null) call.reject(rpcError(call.method, error));
		else call.resolve(result);
	}

	private handleNotification({ subscription, result }: Record<string, unknown>): void {
		if (!this.subscription.matches(subscription)) return;
		this.heardAt = Date.now();
		this.inbox.put(result);
	}
}

function connectionLostError(method: string): RequestFailure {
	return new RequestFailure('The connection to the node was lost', {
		description: `${method} was not answered.`,
		retry: { because: 'lost' },
	});
}

/** The oldest are dropped: the chain is read where announcements are missing. */
const MAX_INBOX_MESSAGES = 10_000;

/** Messages not yet handled. */
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
	 * Waits for a message, and gathers those that follow closely: n8n runs executions side by side, so only the items
	 * of one keep their order. Empty when the connection is closed.
	 */
	async takeAll(): Promise<unknown[]> {
		if (this.messages.length === 0 && !this.closed.aborted) {
			await new Promise<void>((resolve) => (this.wake = resolve));
		}
		const { gatheringMs: gathering } = this.timing;
		const rest = this.takenAt + gathering - Date.now();
		if (rest > 0) await wait(Math.min(rest, gathering), this.closed);
		this.takenAt = Date.now();
		return this.messages.splice(0);
	}
}

/** Gateways send notifications of others' subscriptions, and lose subscriptions silently. */
export class Subscription {
	private kind = '';
	/** As the node spells it. Until it is known, every notification matches. */
	private id: unknown;

	constructor(
		private readonly call: Caller['call'],
		/** Sends a request whose answer is ignored. */
		private readonly send: (method: string, params: RpcParams) => void,
	) {}

	async subscribe(kind: string): Promise<void> {
		this.kind = kind;
		this.id = undefined;
		this.id = await this.call('eth_subscribe', [kind]);
	}

	async renew(): Promise<void> {
		const { id } = this;
		await this.subscribe(this.kind);
		this.send('eth_unsubscribe', [id]);
	}

	matches(id: unknown): boolean {
		return this.id === undefined || this.id === null || formatId(this.id) === formatId(id);
	}
}

/** Nodes spell the same id as a number, as hex, and with leading zeros. */
function formatId(id: unknown): string {
	return quantityToDecimal(id) ?? String(id);
}
