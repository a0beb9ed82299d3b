import { Client, credentials, Metadata, type ChannelCredentials } from '@grpc/grpc-js';
import { setMaxListeners } from 'node:events';
import { throwInvalidInput } from '../callError.mts';
import { Sockets } from './patches.mts';

export interface Target {
	/** Host and port. */
	readonly address: string;
	readonly tls: boolean;
	readonly token: string;
	/** No proxy is used for an address of this computer. */
	readonly isLoopback: boolean;
}

/** Both times are in milliseconds. */
interface KeepAlive {
	/** A ping is sent after this time without a message. */
	readonly keepaliveTime: number;
	/** Without a reply to the ping in this time, the connection is lost. */
	readonly keepaliveTimeout: number;
}

export interface ChannelSettings {
	/** The signal that ends all calls. */
	readonly stop?: AbortSignal;
	/** The settings of pings; without them, none are sent. */
	readonly keepAlive?: KeepAlive;
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** The longest pause of a trigger between two attempts. */
const MAX_BACKOFF_MS = 15_000;

interface Cancellable {
	cancel(): void;
}

/** One connection to an endpoint, for all calls of a run. */
export class Channel {
	readonly client: Client;
	/** Whether the endpoint has answered a call. */
	hasAnswered = false;
	readonly stop: AbortSignal;
	private readonly calls = new Set<Cancellable>();
	private readonly sockets = new Sockets();
	private readonly ending = new AbortController();

	constructor(
		private readonly target: Target,
		private readonly settings: ChannelSettings = {},
	) {
		const { address, tls, isLoopback } = target;
		const secured = tls ? createTlsCredentials() : credentials.createInsecure();
		this.stop = this.ending.signal;
		// Every waiting call adds a listener.
		setMaxListeners(0, this.stop);
		this.client = new Client(`dns:${address}`, this.sockets.watch(secured), {
			// Only transparent retries are enabled: no retry policy comes from a service config.
			'grpc.enable_retries': 1,
			'grpc.service_config_disable_resolution': 1,
			// With its own pool, the connection ends with the run.
			'grpc.use_local_subchannel_pool': 1,
			'grpc.max_reconnect_backoff_ms': MAX_BACKOFF_MS,
			'grpc.max_receive_message_length': MAX_MESSAGE_BYTES,
			'grpc.enable_http_proxy': isLoopback ? 0 : 1,
			...(settings.keepAlive && {
				'grpc.keepalive_time_ms': settings.keepAlive.keepaliveTime,
				'grpc.keepalive_timeout_ms': settings.keepAlive.keepaliveTimeout,
			}),
		});
		if (settings.stop?.aborted) this.close();
		else settings.stop?.addEventListener('abort', this.close);
	}

	get metadata(): Metadata {
		const metadata = new Metadata();
		metadata.set('x-token', this.target.token);
		return metadata;
	}

	/** Registers a call, which is cancelled when the channel closes. */
	track<Call extends Cancellable>(call: Call): Call {
		this.calls.add(call);
		return call;
	}

	untrack(call: Cancellable): void {
		this.calls.delete(call);
	}

	/** Cancels all calls and closes the connection. */
	readonly close = (): void => {
		this.settings.stop?.removeEventListener('abort', this.close);
		this.ending.abort();
		for (const call of this.calls) call.cancel();
		this.client.close();
		this.sockets.close();
	};
}

function createTlsCredentials(): ChannelCredentials {
	try {
		return credentials.createSsl();
	} catch {
		return throwInvalidInput(
			'The file with the trusted certificates cannot be read',
			"n8n's environment variable GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names it.",
		);
	}
}
