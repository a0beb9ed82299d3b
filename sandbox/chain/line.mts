import { once } from 'node:events';
import { WebSocket } from 'ws';
import { type ChainReply, type CallChain, type PendingCall, settleCall } from './questions.mts';

/** A socket to the chain. What is asked after its end, or just before, is never answered. */
export interface ChainSocket {
	call: CallChain;
	/** What the chain tells unasked, as it came. */
	onNotification: (listener: (text: string) => void) => void;
	onEnd: (listener: () => void) => void;
	end: () => void;
}

export async function openChainSocket(url: string): Promise<ChainSocket> {
	// One frame at a time: an answer has been passed on when the notice behind it is read.
	const socket = new WebSocket(url, { allowSynchronousEvents: false });
	await once(socket, 'open');
	const waiting = new Map<number, PendingCall>();
	let asked = 0;
	let notice: (text: string) => void = () => {};

	socket.on('message', (data) => {
		const text = String(data);
		const frame = JSON.parse(text) as ChainReply | { method: string };
		if ('method' in frame) return notice(text);
		settleCall(waiting.get(frame.id), frame);
		waiting.delete(frame.id);
	});
	// Without a listener an error would end the process; the end follows it anyway.
	socket.on('error', () => {});

	return {
		call: (method, params) =>
			new Promise((resolve, reject) => {
				asked += 1;
				waiting.set(asked, { resolve, reject });
				socket.send(JSON.stringify({ jsonrpc: '2.0', id: asked, method, params }));
			}),
		onNotification: (listener) => {
			notice = listener;
		},
		onEnd: (listener) => void socket.once('close', listener),
		end: () => socket.terminate(),
	};
}
