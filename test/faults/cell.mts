import type { ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';
import { runNode, type NodeResult } from '../harness/engine.mts';
import { callsOf, sendJson, serve, type Received } from '../harness/server.mts';
import type { Fault, Outcome } from './faults.mts';
import { ITEMS, items, markOf, type Operation } from './operations.mts';

/** The item in the middle meets the fault. */
export const VICTIM = 1;

/** An honest answer comes long before, on the slowest machine. */
const TIMEOUT = 3000;
const DOUBT = /may have been carried out all the same/;
/** A call that is not answered is asked for again, in batches and alone: but not without end. */
const MOST_REQUESTS = 16;

const isRpc = ({ travels }: Operation) => travels === 'batched' || travels === 'onceOverRpc';

interface Ledger {
	/** How often each item was carried out. */
	readonly carriedOut: number[];
	/** How many requests each was in. */
	readonly requests: number[];
}

/** Runs an operation against a fault, and says what is wrong with what came of it; nothing where it holds. */
export async function faultsIn(operation: Operation, fault: Fault): Promise<string[]> {
	const ledger: Ledger = { carriedOut: Array(ITEMS).fill(0), requests: Array(ITEMS).fill(0) };
	let left = fault.times ?? Infinity;
	const server = await serve((received, response) => {
		const inside = itemsIn(received);
		for (const item of inside) ledger.requests[item] = (ledger.requests[item] ?? 0) + 1;
		const cell = cellOf(operation, received, response, ledger, inside, server.secret);
		if (inside.includes(VICTIM) && left-- > 0) fault.do(cell);
		else cell.honest();
	});
	const result = await runNode({
		node: operation.node(),
		parameters: { ...operation.parameters, options: { timeout: TIMEOUT, maxRetries: 1 } },
		credentials: server.credentials[operation.credential] ?? {},
		items,
		onError: 'continueRegularOutput',
	});
	await server.stop();
	return judged(operation, fault, result, ledger, server.secret);
}

const itemsIn = ({ path, text }: Received) =>
	Array.from({ length: ITEMS }, (_, item) => item).filter((item) =>
		(path + text).toLowerCase().includes(markOf(item)),
	);

function cellOf(
	operation: Operation,
	received: Received,
	response: ServerResponse,
	{ carriedOut }: Ledger,
	inside: readonly number[],
	secret: string,
) {
	const answer = isRpc(operation) ? replies(received, operation.answer) : operation.answer;
	const carryOut = () => {
		for (const item of inside) carriedOut[item] = (carriedOut[item] ?? 0) + 1;
	};
	const honest = (headers: Record<string, string> = {}) => {
		carryOut();
		sendJson(response, 200, answer, headers);
	};
	const isBatch = Array.isArray(received.json);
	return { received, response, isBatch, honest, carryOut, body: JSON.stringify(answer), secret };
}

function replies(received: Received, result: unknown): unknown {
	const all = callsOf(received).map(({ id }) => ({ jsonrpc: '2.0', id, result }));
	return Array.isArray(received.json) ? all : all[0];
}

function judged(
	operation: Operation,
	fault: Fault,
	result: NodeResult,
	{ carriedOut, requests }: Ledger,
	secret: string,
): string[] {
	const { travels } = operation;
	const expected = fault.then[travels] ?? fault.then.else;
	const outputs = items.map((_, item) => outputOf(result, item));
	const told = outputs[VICTIM];
	const wrong = (what: string, isWrong: boolean) => (isWrong ? [what] : []);
	const seen = requests[VICTIM] ?? 0;
	const wanted = fault.requests?.[travels];
	return [
		...wrong(
			`it is ${outcomeOf(told)}, not ${expected}: ${words(told)}`,
			outcomeOf(told) !== expected,
		),
		...wrong(
			`the words are ${words(told)}`,
			expected !== 'good' && fault.words !== undefined && !fault.words.test(words(told)),
		),
		...wrong(`it was in ${seen} requests, not ${wanted}`, wanted !== undefined && seen !== wanted),
		...wrong(`it was in ${seen} requests`, seen < 1 || seen > MOST_REQUESTS),
		...items.flatMap((_, item) =>
			item === VICTIM
				? []
				: wrong(
						`item ${item} suffers: ${words(outputs[item])}`,
						outcomeOf(outputs[item]) !== 'good',
					),
		),
		...wrong(
			`carried out ${carriedOut.join(', ')} times`,
			travels.startsWith('once') && carriedOut.some((times) => times > 1),
		),
		...wrong('a secret is told', JSON.stringify(result.items).includes(secret)),
		...wrong(`the node failed: ${result.error?.message}`, result.error !== undefined),
	];
}

function outputOf({ items: found }: NodeResult, item: number): IDataObject | undefined {
	return found.find(({ pairedItem }) => (pairedItem as { item?: number })?.item === item)?.json;
}

function outcomeOf(json: IDataObject | undefined): Outcome | 'missing' {
	if (!json) return 'missing';
	if (json.error === undefined) return 'good';
	return DOUBT.test(words(json)) ? 'unclear' : 'fails';
}

function words(json: IDataObject | undefined): string {
	return [json?.error, json?.details].filter(Boolean).join(' ').slice(0, 400);
}
