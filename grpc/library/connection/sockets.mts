import type { ChannelCredentials } from '@grpc/grpc-js';
import type { Socket } from 'node:net';

/** Time for the gRPC library to take leave of the service. */
const GOAWAY_TIME = 200;

/** The sockets of a channel: the gRPC library forgets those on which no connection has come about yet. */
export class Sockets {
	private readonly open = new Set<Socket>();
	private isClosed = false;

	/** The same credentials; they are shown each socket before it is secured. */
	watch(credentials: ChannelCredentials): ChannelCredentials {
		const create = credentials._createSecureConnector.bind(credentials);
		credentials._createSecureConnector = (...settings) => {
			const connector = create(...settings);
			const connect = connector.connect.bind(connector);
			connector.connect = async (socket) => {
				this.keep(socket);
				return await connect(socket);
			};
			return connector;
		};
		return credentials;
	}

	private keep(socket: Socket): void {
		this.open.add(socket);
		socket.once('close', () => this.open.delete(socket));
		if (this.isClosed) socket.destroy();
	}

	close(): void {
		this.isClosed = true;
		setTimeout(() => this.open.forEach((socket) => socket.destroy()), GOAWAY_TIME).unref();
	}
}
