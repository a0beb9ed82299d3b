import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import type { SandboxState } from '../../state.mts';

export interface Relay {
	port: number;
	close: () => void;
}

const HOST = '127.0.0.1';

/** The port that clients see. It counts connections and can break them, which the gRPC library hides. */
export async function startRelay(
	state: SandboxState,
	port: number,
	target: number,
): Promise<Relay> {
	const server = createServer({ noDelay: true }, (client) => {
		const { open } = state.grpc;
		state.grpc.connections++;
		open.add(client);
		client.once('close', () => open.delete(client));
		connectSockets(client, connect({ host: HOST, port: target, noDelay: true }), state);
	});
	await once(server.listen(port, HOST), 'listening');
	return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

export function dropAll(open: ReadonlySet<Socket>): void {
	for (const client of open) client.resetAndDestroy();
}

/** What fell into the silence is lost, so the connection stays silent even when the others speak again. */
function connectSockets(client: Socket, service: Socket, state: SandboxState): void {
	let isLost = false;
	const createFilter = () =>
		new Transform({
			transform: (bytes, _encoding, done) => {
				isLost ||= state.grpc.settings.silent;
				done(null, isLost ? undefined : bytes);
			},
		});
	const destroyBoth = (error: unknown) => {
		if (!error) return;
		client.destroy();
		service.destroy();
	};
	pipeline(client, createFilter(), service, destroyBoth);
	pipeline(service, createFilter(), client, destroyBoth);
}
