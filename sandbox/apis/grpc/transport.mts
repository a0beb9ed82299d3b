import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { pipeline, Transform } from 'node:stream';
import { generate } from 'selfsigned';
import type { GrpcState } from './settings.mts';

export interface Relay {
	port: number;
	close: () => void;
}

const HOST = '127.0.0.1';

/**
 * Starts a relay in front of the server. The relay counts connections and can break them, which the gRPC library does
 * not allow.
 */
export async function startRelay(state: GrpcState, port: number, target: number): Promise<Relay> {
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

/**
 * Connects a client's socket to the service. If bytes arrive while the setting `silent` is on, they are lost. The
 * connection then passes no more bytes, even after the setting is off.
 */
function connectSockets(client: Socket, service: Socket, state: GrpcState): void {
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

const DAY_MS = 86_400_000;

/** Creates a certificate that signs itself. It is also its own authority, so that clients can trust it as a root. */
export async function createCertificate(): Promise<{ key: string; certificate: string }> {
	const made = await generate([{ name: 'commonName', value: 'localhost' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notAfterDate: new Date(Date.now() + DAY_MS),
		extensions: [
			{ name: 'basicConstraints', cA: true, critical: true },
			{ name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
			{ name: 'extKeyUsage', serverAuth: true },
			{
				name: 'subjectAltName',
				altNames: [
					{ type: 2, value: 'localhost' },
					{ type: 7, ip: '127.0.0.1' },
				],
			},
		],
	});
	return { key: made.private, certificate: made.cert };
}
