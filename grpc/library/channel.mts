import { Client, credentials, Metadata, type ChannelCredentials } from '@grpc/grpc-js';
import { trouble } from './problem.mts';
import { Sockets } from './sockets.mts';

export interface Target {
	/** Host and port. */
	readonly address: string;
	readonly tls: boolean;
	readonly token: string;
	/** This computer itself, to which no proxy leads. */
	readonly isLoopback: boolean;
}

export const MOST_BYTES = 64 * 1024 * 1024;

interface Cancellable {
	cancel(): void;
}

/** One connection to an endpoint, over which all calls of a run travel. */
export class Channel {
	readonly client: Client;
	private readonly live = new Set<Cancellable>();
	private readonly sockets = new Sockets();

	constructor(
		private readonly target: Target,
		private readonly stop?: AbortSignal,
	) {
		const { address, tls, isLoopback } = target;
		const secured = tls ? secure() : credentials.createInsecure();
		this.client = new Client(`dns:${address}`, this.sockets.of(secured), {
			// No call is repeated behind the user's back, nor because a name server says so.
			'grpc.enable_retries': 0,
			'grpc.service_config_disable_resolution': 1,
			// A connection of its own, which ends with the run.
			'grpc.use_local_subchannel_pool': 1,
			'grpc.max_receive_message_length': MOST_BYTES,
			'grpc.enable_http_proxy': isLoopback ? 0 : 1,
		});
		stop?.addEventListener('abort', this.close);
	}

	get metadata(): Metadata {
		const metadata = new Metadata();
		metadata.set('x-token', this.target.token);
		return metadata;
	}

	/** Remembers a call, so that it can be ended with the channel. */
	began<Call extends Cancellable>(call: Call): Call {
		this.live.add(call);
		return call;
	}

	ended(call: Cancellable): void {
		this.live.delete(call);
	}

	/** Ends all calls and the connection. */
	readonly close = (): void => {
		this.stop?.removeEventListener('abort', this.close);
		for (const call of this.live) call.cancel();
		this.client.close();
		this.sockets.close();
	};
}

function secure(): ChannelCredentials {
	try {
		return credentials.createSsl();
	} catch {
		return trouble({
			kind: 'refused',
			message: 'The file with certificates that are to be trusted cannot be read',
			description: 'GRPC_DEFAULT_SSL_ROOTS_FILE_PATH names it, where n8n was started.',
		});
	}
}
