import { Pool } from 'undici';
import { type ChainSocket, openChainSocket } from './line.mts';
import { startProgram } from './programs.mts';
import { type ChainReply, type CallChain, type PendingCall, settleCall } from './questions.mts';

export interface Chain {
	/** Calls made in the same turn travel as a batch. */
	call: CallChain;
	/** A JSON-RPC body as it is, cheats and all. */
	forward: (body: unknown) => Promise<unknown>;
	/** A socket of its own, for subscriptions. */
	connect: () => Promise<ChainSocket>;
	stop: () => Promise<void>;
}

interface WaitingCall extends PendingCall {
	method: string;
	params: unknown[];
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
	// Not --silent: that would also hide the address which it prints at the start.
	await chain.call('anvil_setLoggingEnabled', [false]).catch(async (error) => {
		await chain.stop();
		throw error;
	});
	return chain;
}

function createBatchedCall(forward: Chain['forward']): CallChain {
	let waiting: WaitingCall[] = [];

	const send = async () => {
		const questions = waiting;
		waiting = [];
		const calls = questions.map(({ method, params }, id) => ({
			jsonrpc: '2.0',
			id,
			method,
			params,
		}));
		try {
			const answer = await forward(calls.length === 1 ? calls[0] : calls);
			for (const one of [answer].flat() as ChainReply[]) settleCall(questions[one.id], one);
		} catch (error) {
			for (const { reject } of questions) reject(error as Error);
		}
	};

	return (method, params) =>
		new Promise((resolve, reject) => {
			if (waiting.length === 0) setImmediate(send);
			waiting.push({ method, params, resolve, reject });
		});
}
