import { Server, ServerCredentials } from '@grpc/grpc-js';
import { ReflectionService } from '@grpc/reflection';
import { createAccessInterceptor } from '../apis/grpc/access.mts';
import {
	archiveService,
	chainService,
	readFileDescriptors,
	troubleService,
} from '../apis/grpc/definitions.mts';
import {
	chainHandlers,
	echoHandlers,
	rawEchoService,
	troubleHandlers,
} from '../apis/grpc/services.mts';
import { createCertificate, type Relay, startRelay } from '../apis/grpc/transport.mts';
import { dropAll, type GrpcState } from '../apis/grpc/settings.mts';
import type { LimitState } from '../http/limits.mts';

export interface GrpcServer {
	addresses: {
		grpcEndpoint: string;
		grpcPlainEndpoint: string;
		xToken: string;
		grpcCertificate: string;
	};
	stop: () => void;
}

/** Starts the gRPC server with one port for TLS and one for plain text. */
export async function startGrpc(
	state: GrpcState & LimitState,
	xToken: string,
	portBase?: number,
): Promise<GrpcServer> {
	const { key, certificate } = await createCertificate();
	const pair = { private_key: Buffer.from(key), cert_chain: Buffer.from(certificate) };
	const server = createServer(state, xToken);
	const relays: Relay[] = [];
	const stop = () => {
		for (const relay of relays) relay.close();
		server.forceShutdown();
		dropAll(state.grpc.open);
	};
	const listen = async (credentials: ServerCredentials, port = 0) => {
		const relay = await startRelay(state, port, await bindServer(server, credentials));
		relays.push(relay);
		return relay.port;
	};
	try {
		const secure = await listen(ServerCredentials.createSsl(null, [pair]), portBase);
		const plain = await listen(ServerCredentials.createInsecure(), portBase && portBase + 1);
		const grpcEndpoint = `localhost:${secure}`;
		const grpcPlainEndpoint = `127.0.0.1:${plain}`;
		return {
			addresses: { grpcEndpoint, grpcPlainEndpoint, xToken, grpcCertificate: certificate },
			stop,
		};
	} catch (error) {
		stop();
		throw error;
	}
}

function createServer(state: GrpcState & LimitState, xToken: string): Server {
	const server = new Server({ interceptors: [createAccessInterceptor(state, xToken)] });
	server.addService(chainService, chainHandlers);
	server.addService(rawEchoService, echoHandlers);
	server.addService(troubleService, troubleHandlers);
	server.addService(archiveService, {});
	createReflection().addToServer(server);
	return server;
}

/**
 * Creates the reflection service. The library asks for a whole package, but reads only the descriptions of its files.
 */
function createReflection(): ReflectionService {
	const files = { fileDescriptorProtos: readFileDescriptors() };
	type Package = ConstructorParameters<typeof ReflectionService>[0];
	return new ReflectionService({ files } as unknown as Package);
}

const bindServer = (server: Server, credentials: ServerCredentials) =>
	new Promise<number>((resolve, reject) =>
		server.bindAsync('127.0.0.1:0', credentials, (error, port) =>
			error ? reject(error) : resolve(port),
		),
	);
