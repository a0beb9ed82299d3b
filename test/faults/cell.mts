import type { ServerResponse } from 'node:http';
import { runNode, type NodeResult } from '../harness/engine.mts';
import {
	callsOf,
	credentialsAt,
	SECRET,
	sendJson,
	serve,
	type Received,
	type RpcCall,
} from '../harness/server.mts';
import { until } from '../harness/until.mts';
import type { Cell, Fault } from './fault.mts';
import { ITEMS, items, markOf, type Operation } from './operation.mts';

/** The item in the middle meets the fault. */
export const VICTIM = 1;

/** An honest answer comes long before, on the slowest machine. */
const TIMEOUT = 3000;
/** What is to be sent later, although the execution was stopped, comes within this time. */
const AFTERWARDS = 1200;

const isRpc = ({ travels }: Operation) => travels === 'batched' || travels === 'onceOverRpc';

/** What came of an operation that met a fault. */
export interface Met {
	readonly result: NodeResult;
	/** How often the service carried out what each item asked. */
	readonly carriedOut: readonly number[];
	/** How many requests each was in. */
	readonly requests: readonly number[];
	/** How many requests arrived after the end. */
	readonly late: number;
}

/** Runs an operation against a fault. */
export async function meet(operation: Operation, fault: Fault): Promise<Met> {
	const [carriedOut, requests] = [Array<number>(ITEMS).fill(0), Array<number>(ITEMS).fill(0)];
	let left = fault.times ?? Infinity;
	let happened = false;
	const server = await serve((received, response) => {
		const inside = itemsIn(received);
		count(requests, inside);
		const isMet = inside.includes(VICTIM) && left-- > 0;
		const cell = cellOf(operation, received, response, () => count(carriedOut, inside));
		if (isMet) fault.do(cell);
		else cell.honest();
		happened ||= isMet;
	});
	const place = await fault.instead?.();
	const result = await runNode({
		node: operation.node(),
		parameters: { ...operation.parameters, options: { timeout: TIMEOUT, maxRetries: 1 } },
		credentials: credentialsAt(place?.url ?? server.url)[operation.credential] ?? {},
		items,
		onError: 'continueRegularOutput',
		stopAfter:
			fault.then === 'stopped'
				? async () => await until(() => happened && isAllSent(operation, requests))
				: undefined,
	});
	const seen = server.received.length;
	// What was given up is closed: nothing ends before.
	await until(() => server.open() === 0);
	if (fault.then === 'stopped') await pause(AFTERWARDS);
	await Promise.all([server.stop(), place?.stop()]);
	const late = server.received.length - seen;
	return { result, carriedOut, requests, late };
}

/** Transactions after the one that met the fault are held back. */
function isAllSent({ travels }: Operation, requests: readonly number[]): boolean {
	return travels === 'onceOverRpc' || requests.every((times) => times > 0);
}

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

function count(counts: number[], inside: readonly number[]): void {
	for (const item of inside) counts[item] = (counts[item] ?? 0) + 1;
}

const itemsIn = ({ path, text }: Received) =>
	Array.from({ length: ITEMS }, (_, item) => item).filter((item) =>
		(path + text).toLowerCase().includes(markOf(item)),
	);

function cellOf(
	operation: Operation,
	received: Received,
	response: ServerResponse,
	carryOut: () => void,
): Cell {
	const result = ({ method }: RpcCall) => operation.others?.[method] ?? operation.answer;
	const answer = isRpc(operation) ? replies(received, result) : operation.answer;
	return {
		received,
		response,
		isBatch: Array.isArray(received.json),
		isMet: (call) => !isRpc(operation) || JSON.stringify(call).includes(markOf(VICTIM)),
		honest: (headers) => {
			carryOut();
			sendJson(response, 200, answer, headers);
		},
		carryOut,
		body: JSON.stringify(answer),
		result,
		secret: SECRET,
	};
}

function replies(received: Received, result: (call: RpcCall) => unknown): unknown {
	const all = callsOf(received).map((call) => ({
		jsonrpc: '2.0',
		id: call.id,
		result: result(call),
	}));
	return Array.isArray(received.json) ? all : all[0];
}
