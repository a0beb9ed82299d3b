import type { FastifyRequest } from 'fastify';
import { WebSocket } from 'ws';
import { recordMessage, type RecordState } from '../../http/recording.mts';
import { pause } from '../../http/time.mts';
import { createRpcAnswerer, type RpcState } from '../../jsonRpc/answers.mts';
import { type Call, type FindMethod, type Method, tuple } from '../../jsonRpc/calls.mts';
import type { Chain, ChainSocket } from '../evm/chain.mts';
import { withLag, applyBloomSetting, type LagState } from '../evm/lag.mts';
import { createEvmMethods } from '../evm/methods.mts';
import { subscription } from '../evm/schemas.mts';
import type { OpenSocket, SocketState } from './settings.mts';

interface SocketEnds {
	client: WebSocket;
	upstream: ChainSocket;
}

export interface ConnectionState extends RecordState, RpcState, LagState, SocketState {}

/** Connects a client to the chain until the client, the chain or the control server ends the connection. */
export function connectClient(
	{ client, upstream }: SocketEnds,
	handshake: FastifyRequest,
	state: ConnectionState,
	chain: Chain,
): void {
	const { entry, raw } = handshake;
	const subscriptions = new Set<string>();
	const lagging = withLag({ ...chain, call: upstream.call }, state);
	const answer = createRpcAnswerer(state, createSocketMethods(lagging, subscriptions));
	const deliver = createDelivery(client, state);

	const leave = () => {
		state.sockets.open.delete(socket);
		upstream.end();
	};
	const socket: OpenSocket = {
		subscriptions,
		setSilent: (silent) => (silent ? client.pause() : client.resume()),
		drop: (how) => {
			leave();
			if (how === 'reset') return void raw.socket.resetAndDestroy();
			// The close frame that the client sends back must still be read.
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
	// Without a listener, an error would end the process. The close event follows the error anyway.
	client.on('error', () => {});
	upstream.onNotification(createNotifier(state, deliver));
	upstream.onEnd(() => client.close(1011));

	entry.status = 101;
	state.sockets.opened += 1;
	state.sockets.open.add(socket);
	socket.setSilent(state.sockets.settings.silent);
}

/** Creates a function that sends frames in their order, even when the delay changes between them. */
function createDelivery(client: WebSocket, state: SocketState): (text: string) => void {
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

const unsubscription = tuple({ type: 'string' });

/** Creates the methods of a socket: those that the hosted node serves over HTTP, and two methods that need a socket. */
function createSocketMethods(chain: Chain, subscriptions: Set<string>): FindMethod {
	const callChain = ({ method, params }: Call) => chain.call(method, params);
	const own: Record<string, Method> = {
		eth_subscribe: {
			params: subscription,
			answer: async (call) => {
				const id = await callChain(call);
				subscriptions.add(String(id));
				return id;
			},
		},
		eth_unsubscribe: {
			params: unsubscription,
			answer: async (call) => {
				subscriptions.delete(String(call.params[0]));
				return await callChain(call);
			},
		},
	};
	const findEvmMethod = createEvmMethods(chain);
	return (name) => (Object.hasOwn(own, name) ? own[name] : findEvmMethod(name));
}

const GATHERING_MS = 50;

/** Creates a function that passes notifications on, with the faults that the control server has set. */
function createNotifier(state: LagState & SocketState, deliver: (text: string) => void) {
	let gathered: string[] = [];

	const pass = (text: string) => {
		deliver(text);
		if (state.sockets.settings.duplicate) deliver(text);
	};

	const passReversed = () => {
		const reversed = gathered.reverse();
		gathered = [];
		reversed.forEach(pass);
	};

	return (notification: string): void => {
		const { mute, shuffle } = state.sockets.settings;
		if (mute) return;
		const hasBlooms = state.lag.settings.blooms === true;
		const text = hasBlooms ? notification : withoutBloom(notification, state);
		if (!shuffle) return pass(text);
		if (gathered.length === 0) setTimeout(passReversed, GATHERING_MS).unref();
		gathered.push(text);
	};
}

function withoutBloom(notification: string, state: LagState): string {
	const { params, ...rest } = JSON.parse(notification) as { params: { result: unknown } };
	return JSON.stringify({
		...rest,
		params: { ...params, result: applyBloomSetting(params.result, state) },
	});
}
