import { Client, credentials, Metadata, type ChannelCredentials } from '@grpc/grpc-js';
import { setMaxListeners } from 'node:events';
import { fail } from '../problem.mts';
import './goodbye.mts';
import './inOrder.mts';
import { Sockets } from './sockets.mts';

export interface Target {
	/** Host and port. */
	readonly address: string;
	readonly tls: boolean;
	readonly token: string;
	/** This computer itself, to which no proxy leads. */
	readonly isLoopback: boolean;
}

/** In milliseconds. */
interface KeepAlive {
	/** After so long without a message, the service is asked for a sign of life. */
	readonly keepaliveTime: number;
	/** How long that may take before the connection counts as lost. */
	readonly keepaliveTimeout: number;
}

export interface ChannelSettings {
	/** Ends all calls. */
	readonly stop?: AbortSignal;
	/** Without it, the service is never asked for a sign of life. */
	readonly keepAlive?: KeepAlive;
}

export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/** A service that comes back must not wait for us longer than a trigger pauses between two attempts. */
const MAX_BACKOFF = 15_000;

interface Cancellable {
	cancel(): void;
}

/** One connection to an endpoint at a time, over which all calls of a run travel. */
export class Channel {
	readonly client: Client;
	/** Whether the service has answered anything yet. */
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
		const secured = tls ? tlsCredentials() : credentials.createInsecure();
		this.stop = this.ending.signal;
		// Many calls may wait at once.
		setMaxListeners(0, this.stop);
		this.client = new Client(`dns:${address}`, this.sockets.watch(secured), {
			// What provably was not carried out is sent again, and nothing else: a name server has no say in it.
			'grpc.enable_retries': 1,
			'grpc.service_config_disable_resolution': 1,
			// A connection of its own, which ends with the run.
			'grpc.use_local_subchannel_pool': 1,
			'grpc.max_reconnect_backoff_ms': MAX_BACKOFF,
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

	/** Remembers a call, so that it can be ended with the channel. */
	track<Call extends Cancellable>(call: Call): Call {
		this.calls.add(call);
		return call;
	}

	untrack(call: Cancellable): void {
		this.calls.delete(call);
	}

	/** Ends all calls and the connection. */
	readonly close = (): void => {
		this.settings.stop?.removeEventListener('abort', this.close);
		this.ending.abort();
		for (const call of this.calls) call.cancel();
		this.client.close();
		this.sockets.close();
	};
}

function tlsCredentials(): ChannelCredentials {
	try {
		return credentials.createSsl();
	} catch {
		return fail({
			kind: 'refused',
			message: 'The file with the trusted certificates cannot be read',
			description: "n8n's environment variable GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names it.",
		});
	}
}
