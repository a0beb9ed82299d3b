import type { FastifyInstance } from 'fastify';
import type { Chain } from './apis/evm/chain.mts';
import { type Secrets, createSecrets } from './http/credentials.mts';
import { createControlServer } from './servers/control.mts';
import type { GrpcServer, startGrpc as StartGrpc } from './servers/grpc.mts';
import { createNodeServer } from './servers/node.mts';
import { createPlatformServer } from './servers/platform.mts';
import { createState } from './state.mts';

interface SandboxOptions {
	chain?: boolean;
	grpc?: { xToken: string } | undefined;
	/** The port of the platform. The next ports are those of the node, the control server, and the two gRPC servers. */
	portBase?: number;
	pageSize?: number;
	secrets?: Secrets;
}

export interface Sandbox {
	addresses: { platformUrl: string; nodeUrl: string; controlUrl: string } & Partial<
		GrpcServer['addresses']
	>;
	secrets: Secrets;
	stop: () => Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { portBase, pageSize = 25, secrets = createSecrets({}) } = options;
	const state = createState();
	const chain = options.chain ? await startChain() : undefined;
	const servers = [
		createPlatformServer(state, secrets, { pageSize, chain }),
		createNodeServer(state, secrets, chain),
		createControlServer(state, chain),
	] as const;
	const grpc = options.grpc && startGrpc(state, options.grpc.xToken, portBase && portBase + 3);
	let closing: Promise<void> | undefined;
	const stop = () => (closing ??= closeAll(servers, chain, grpc));
	try {
		const [platformUrl, nodeUrl, controlUrl, access] = await Promise.all([
			listenOn(servers[0], portBase),
			listenOn(servers[1], portBase && portBase + 1),
			listenOn(servers[2], portBase && portBase + 2),
			grpc,
		]);
		return {
			addresses: { platformUrl, nodeUrl, controlUrl, ...access?.addresses },
			secrets,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Starts the chain. Its module is imported only here, because its client alone takes a tenth of a second to load. */
async function startChain(): Promise<Chain> {
	const chain = await import('./apis/evm/chain.mts');
	return await chain.startChain();
}

const startGrpc: typeof StartGrpc = async (...options) => {
	const grpc = await import('./servers/grpc.mts');
	return await grpc.startGrpc(...options);
};

const listenOn = (server: FastifyInstance, port = 0) => server.listen({ host: '127.0.0.1', port });

async function closeAll(
	servers: readonly FastifyInstance[],
	chain?: Chain,
	grpc?: Promise<GrpcServer>,
): Promise<void> {
	await grpc?.then(
		({ stop }) => stop(),
		() => {},
	);
	await Promise.all(servers.map((server) => server.close()));
	await chain?.stop();
}
