import type { FastifyRequest } from 'fastify';
import { WebSocket } from 'ws';
import type { Chain } from '../../chain/chain.mts';
import { withLag } from '../../chain/lag.mts';
import type { ChainSocket } from '../../chain/line.mts';
import { createRpcAnswerer } from '../../rpc/jsonRpc.mts';
import type { SandboxState } from '../../state.mts';
import { pause } from '../../wire/pause.mts';
import { recordMessage } from '../../wire/record.mts';
import { createSocketMethods } from './methods.mts';
import { createNotifier } from './notices.mts';
import type { OpenSocket } from './state.mts';

export interface SocketEnds {
	client: WebSocket;
	line: ChainSocket;
}

/** Joins a client to the chain, until either of them or the control room ends it. */
export function connectClient(
	{ client, line }: SocketEnds,
	handshake: FastifyRequest,
	state: SandboxState,
	chain: Chain,
): void {
	const { entry, raw } = handshake;
	const subscriptions = new Set<string>();
	const seen = withLag({ ...chain, call: line.call }, state);
	const answer = createRpcAnswerer(state, seen, createSocketMethods(subscriptions));
	const deliver = createDelivery(client, state);

	const leave = () => {
		state.sockets.open.delete(socket);
		line.end();
	};
	const socket: OpenSocket = {
		subscriptions,
		setSilent: (silent) => (silent ? client.pause() : client.resume()),
		drop: (how) => {
			leave();
			if (how === 'reset') return void raw.socket.resetAndDestroy();
			// The client's own close frame must still be read.
			client.resume();
			client.close(1001);
		},
	};

	client.on('message', async (data) => {
		if (!state.sockets.open.has(socket)) return;
		const text = String(data);
		recordMessage(state, entry, text);
		deliver(JSON.stringify(await answer(text, handshake)));
	});
	client.on('close', leave);
	// Without a listener an error would end the process; the close follows it anyway.
	client.on('error', () => {});
	line.onNotification(createNotifier(state, deliver));
	line.onEnd(() => client.close(1011));

	entry.status = 101;
	state.sockets.opened += 1;
	state.sockets.open.add(socket);
	socket.setSilent(state.sockets.settings.silent);
}

/** Frames keep their order, also when the delay changes between them. */
function createDelivery(client: WebSocket, state: SandboxState): (text: string) => void {
	let last = Promise.resolve();
	return (text) => {
		const due = pause(state.sockets.settings.delay);
		last = last
			.then(() => due)
			.then(() => {
				const passes = !state.sockets.settings.silent && client.readyState === WebSocket.OPEN;
				if (passes) client.send(text);
			});
	};
}
