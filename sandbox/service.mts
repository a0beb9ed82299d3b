import type { FastifyInstance } from 'fastify';
import type { Chain } from './chain/chain.mts';
import { controlRoom } from './control/control.mts';
import { nodeRoom } from './rooms/node/node.mts';
import { platformRoom } from './rooms/platform/platform.mts';
import { type Secrets, secretsFrom } from './secrets.mts';
import { freshState } from './state.mts';

export interface SandboxOptions {
	chain?: boolean;
	/** The platform listens here, the node on the next port, the control on the one after. */
	portBase?: number;
	pageSize?: number;
	secrets?: Secrets;
}

export interface Sandbox {
	addresses: { platformUrl: string; nodeUrl: string; controlUrl: string };
	secrets: Secrets;
	stop: () => Promise<void>;
}

export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { portBase, pageSize = 25, secrets = secretsFrom({}) } = options;
	const state = freshState();
	const chain = options.chain ? await startChain() : undefined;
	const rooms = [
		platformRoom(state, secrets, { pageSize, chain }),
		nodeRoom(state, secrets, chain),
		controlRoom(state, chain),
	] as const;
	let closing: Promise<void> | undefined;
	const stop = () => (closing ??= close(rooms, chain));
	try {
		const [platformUrl, nodeUrl, controlUrl] = await Promise.all([
			listen(rooms[0], portBase),
			listen(rooms[1], portBase && portBase + 1),
			listen(rooms[2], portBase && portBase + 2),
		]);
		return { addresses: { platformUrl, nodeUrl, controlUrl }, secrets, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Loaded only when asked for: the client alone takes a tenth of a second. */
async function startChain(): Promise<Chain> {
	const chain = await import('./chain/chain.mts');
	return await chain.startChain();
}

const listen = (room: FastifyInstance, port = 0) => room.listen({ host: '127.0.0.1', port });

async function close(rooms: readonly FastifyInstance[], chain?: Chain): Promise<void> {
	await Promise.all(rooms.map((room) => room.close()));
	await chain?.stop();
}
