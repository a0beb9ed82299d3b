import { once } from 'node:events';
import { Pool } from 'undici';
import { WebSocket } from 'ws';
import { type RpcError, RpcFailure } from '../../jsonRpc/calls.mts';
import { startProgram } from './program.mts';

/** One call to the chain. */
export type CallChain = (method: string, params: unknown[]) => Promise<unknown>;

export interface Chain {
	/** Sends one JSON-RPC call. Calls that are made in the same turn of the event loop travel as one batch. */
	call: CallChain;
	/** Sends a JSON-RPC body to the chain unchanged. Cheat methods are allowed. */
	forward: (body: unknown) => Promise<unknown>;
	/** Opens a WebSocket to the chain for subscriptions. */
	connect: () => Promise<ChainSocket>;
	stop: () => Promise<void>;
}

/**
 * A WebSocket to the chain. A call that is still open when the socket ends, or that is made afterwards, never gets an
 * answer.
 */
export interface ChainSocket {
	call: CallChain;
	/** Sets a listener, which gets the unchanged text of each notification. */
	onNotification: (listener: (text: string) => void) => void;
	onEnd: (listener: () => void) => void;
	end: () => void;
}

/** A call that has no answer yet. */
interface PendingCall {
	resolve: (result: unknown) => void;
	reject: (error: Error) => void;
}

interface WaitingCall extends PendingCall {
	method: string;
	params: unknown[];
}

interface ChainReply {
	id: number;
	result?: unknown;
	error?: RpcError;
}

export async function startChain(): Promise<Chain> {
	const program = await startProgram();
	const pool = new Pool(program.url, { connections: 8 });

	const forward = async (body: unknown) => {
		const headers = { 'content-type': 'application/json' };
		const text = JSON.stringify(body).replaceAll('"method":"anvil_', `"method":"${program.cheats}`);
		const answer = await pool.request({ path: '/', method: 'POST', headers, body: text });
		return await answer.body.json();
	};

	const chain: Chain = {
		call: createBatchedCall(forward),
		forward,
		connect: () => openChainSocket(program.url),
		stop: async () => {
			await pool.destroy();
			await program.stop();
		},
	};
	// The program prints its address at the start, and its option `--silent` would hide that too. So this call turns off
	// later logs.
	await chain.call('anvil_setLoggingEnabled', [false]).catch(async (error) => {
		await chain.stop();
		throw error;
	});
	return chain;
}

function createBatchedCall(forward: Chain['forward']): CallChain {
	let waiting: WaitingCall[] = [];

	const send = async () => {
		const sent = waiting;
		waiting = [];
		const calls = sent.map(({ method, params }, id) => ({
			jsonrpc: '2.0',
			id,
			method,
			params,
		}));
		try {
			const answer = await forward(calls.length === 1 ? calls[0] : calls);
			for (const one of [answer].flat() as ChainReply[]) settleCall(sent[one.id], one);
		} catch (error) {
			for (const { reject } of sent) reject(error as Error);
		}
	};

	return (method, params) =>
		new Promise((resolve, reject) => {
			if (waiting.length === 0) setImmediate(send);
			waiting.push({ method, params, resolve, reject });
		});
}

async function openChainSocket(url: string): Promise<ChainSocket> {
	// Frames must be handled one at a time, so that the answer to a call is passed on before the next notification.
	const socket = new WebSocket(url, { allowSynchronousEvents: false });
	await once(socket, 'open');
	const pending = new Map<number, PendingCall>();
	let lastId = 0;
	let notify: (text: string) => void = () => {};

	socket.on('message', (data) => {
		const text = String(data);
		const frame = JSON.parse(text) as ChainReply | { method: string };
		if ('method' in frame) return notify(text);
		settleCall(pending.get(frame.id), frame);
		pending.delete(frame.id);
	});
	// Without a listener, an error would end the process. The end of the socket follows the error anyway.
	socket.on('error', () => {});

	return {
		call: (method, params) =>
			new Promise((resolve, reject) => {
				lastId += 1;
				pending.set(lastId, { resolve, reject });
				socket.send(JSON.stringify({ jsonrpc: '2.0', id: lastId, method, params }));
			}),
		onNotification: (listener) => {
			notify = listener;
		},
		onEnd: (listener) => void socket.once('close', listener),
		end: () => socket.terminate(),
	};
}

function settleCall(pending: PendingCall | undefined, { result, error }: ChainReply): void {
	if (error) pending?.reject(new RpcFailure(error.code, error.message, error.data));
	else pending?.resolve(result);
}
