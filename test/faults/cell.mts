import { subscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import { runNode, type NodeResult } from '../harness/engine.mts';
import { buildCredentials, startServer } from '../harness/server.mts';
import { waitUntil } from '../harness/until.mts';
import type { Fault } from './fault.mts';
import { itemsIn, markOf } from './mark.mts';
import { countRequests, ITEMS, items, type Operation } from './operation.mts';
import { cellOf } from './service.mts';

/** The index of the item whose request meets the fault. It is the middle item. */
export const VICTIM = 1;

/** A timeout that no correct answer reaches, even on the slowest machine. */
const TIMEOUT = 60_000;
/** The shorter timeout for tests in which a request times out. */
const SHORT_TIMEOUT = 4000;
/** The time within which a request arrives that was on its way during a stop. */
const ON_THE_WAY_MS = 250;
/** The number of retries in a run that the user stops. Further attempts would wait longer than `AFTERWARDS`. */
const RETRIES_UNTIL_STOPPED = 5;
/** The time within which a request would arrive that is wrongly sent after a stop. */
const AFTERWARDS = 1200;

/** The outcome of an operation that has met a fault. */
export interface Met {
	readonly result: NodeResult;
	/** The number of times that the service carried out the request of each item. */
	readonly carriedOut: readonly number[];
	/** The number of requests that contained each item. */
	readonly requests: readonly number[];
	/** The number of requests that were begun after the stop, or after the end of an execution that is not stopped. */
	readonly late: number;
}

/**
 * The number of requests that this process has begun, by host. Their arrival is not counted here, because a request
 * that began before a stop can arrive after it.
 */
const setOut = new Map<string, number>();

subscribe('http.client.request.start', (message) => {
	const { request } = message as { readonly request: ClientRequest };
	const host = String(request.getHeader('host'));
	setOut.set(host, (setOut.get(host) ?? 0) + 1);
});

/** Runs an operation while a fault happens. */
export async function meet(operation: Operation, fault: Fault): Promise<Met> {
	const [carriedOut, requests] = [Array<number>(ITEMS).fill(0), Array<number>(ITEMS).fill(0)];
	let left = fault.times ?? Infinity;
	let happened = false;
	let arrivedAt = 0;
	const isStopped = fault.then === 'stopped';
	const server = await startServer((received, response) => {
		arrivedAt = Date.now();
		const inside = itemsIn(received);
		count(requests, inside);
		const isMet = inside.includes(VICTIM) && left-- > 0;
		const carryOut = () => count(carriedOut, inside);
		const cell = cellOf({ service: operation, received, response, mark: markOf(VICTIM), carryOut });
		if (isMet) fault.do(cell);
		else cell.honest();
		happened ||= isMet;
	});
	const { host } = new URL(server.url);
	const countSetOut = () => setOut.get(host) ?? 0;
	let before = 0;
	const place = await fault.instead?.();
	const result = await runNode({
		node: operation.node,
		parameters: {
			...operation.parameters,
			options: {
				...(operation.parameters.options as INodeParameters | undefined),
				timeout: fault.isSilent ? SHORT_TIMEOUT : TIMEOUT,
				maxRetries: isStopped ? RETRIES_UNTIL_STOPPED : 1,
			},
		},
		credentials: buildCredentials(place?.url ?? server.url)[operation.credential],
		items,
		onError: 'continueRegularOutput',
		stopAfter: isStopped
			? async () => {
					await waitUntil(
						() =>
							happened && isAllSent(operation, requests) && Date.now() - arrivedAt >= ON_THE_WAY_MS,
					);
					before = countSetOut();
				}
			: undefined,
	});
	if (!isStopped) before = countSetOut();
	// Abandoned connections must close, so the run waits until none is open.
	await waitUntil(() => server.open() === 0);
	if (isStopped) await pause(AFTERWARDS);
	await Promise.all([server.stop(), place?.stop()]);
	const late = countSetOut() - before;
	return { result, carriedOut, requests, late };
}

/**
 * Returns whether all requests have arrived that are expected after the fault.
 * The failed item sends only its first requests. Transactions after it are held back, so they are not awaited.
 */
function isAllSent(operation: Operation, requests: readonly number[]): boolean {
	const [first = 1] = operation.steps ?? [];
	const all = countRequests(operation);
	const wanted = (item: number) => (item === VICTIM ? first : all);
	return (
		operation.travels === 'onceOverRpc' ||
		operation.isInTurn ||
		requests.every((times, item) => times >= wanted(item))
	);
}

const pause = async (milliseconds: number) =>
	await new Promise((resolve) => setTimeout(resolve, milliseconds));

function count(counts: number[], inside: readonly number[]): void {
	for (const item of inside) counts[item] = (counts[item] ?? 0) + 1;
}
