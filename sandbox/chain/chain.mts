import { Pool } from 'undici';
import { type Line, openLine } from './line.mts';
import { startProgram } from './programs.mts';
import { type Answer, type Ask, type Question, settle } from './questions.mts';

export interface Chain {
	/** Calls made in the same turn travel as a batch. */
	ask: Ask;
	/** A JSON-RPC body as it is, cheats and all. */
	forward: (body: unknown) => Promise<unknown>;
	/** A socket of its own, for subscriptions. */
	connect: () => Promise<Line>;
	stop: () => Promise<void>;
}

interface Waiting extends Question {
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
		ask: batching(forward),
		forward,
		connect: () => openLine(program.url),
		stop: async () => {
			await pool.destroy();
			await program.stop();
		},
	};
	// Not --silent: that would also hide the address which it prints at the start.
	await chain.ask('anvil_setLoggingEnabled', [false]).catch(async (error) => {
		await chain.stop();
		throw error;
	});
	return chain;
}

function batching(forward: Chain['forward']): Ask {
	let waiting: Waiting[] = [];

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
			for (const one of [answer].flat() as Answer[]) settle(questions[one.id], one);
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
