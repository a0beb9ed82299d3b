import type { JsonObject } from '../values/json';
import { repeatedPageError } from '../errors/requestFailure';
import { mapInParallel } from '../net/pacing/concurrency';
import type { RpcCaller, RpcReader } from '../chain/reader';
import { parseBlockNumber } from './blocks';
import { quantityToNumber, objectListParser } from './chainObjects';
import { raise } from '../errors/raise';
import { sharedKey } from '../net/pacing/shared';

/** Where a search for traces begins, and the size of its pages. */
export interface TracePage {
	/** How many traces are skipped. */
	readonly after?: number;
	/** How many traces a request asks for. Many nodes return fewer, even if they have more. */
	readonly count: number;
}

export const TRACES_PER_PAGE = 1000;

const parseTraceList = objectListParser('a list of traces');

/** Reads the traces that match a filter, page by page, until enough are read. Only an empty page means the end. */
export async function* readTraces(
	reader: RpcCaller,
	filter: object,
	{ after, count }: TracePage = { count: TRACES_PER_PAGE },
	wanted = Infinity,
): AsyncGenerator<readonly JsonObject[]> {
	let page: TracePage = { after, count };
	let last: readonly JsonObject[] = [];
	for (let missing = wanted; missing > 0; missing -= last.length) {
		const traces = parseTraceList(await reader.call('trace_filter', [{ ...filter, ...page }]));
		if (traces.length === 0) return;
		if (areSamePage(traces, last)) {
			// A node that does not know pages has returned everything in the first answer.
			return traces.length === page.count ? raise(repeatedPageError()) : undefined;
		}
		yield traces;
		last = traces;
		page = {
			after: (page.after ?? 0) + traces.length,
			count: Math.min(page.count, missing - traces.length),
		};
	}
}

function areSamePage(page: readonly JsonObject[], last: readonly JsonObject[]): boolean {
	return page.length === last.length && JSON.stringify(page) === JSON.stringify(last);
}

/** Reads all traces of a transaction; none if the node does not know the transaction. */
export async function readTransactionTraces(
	reader: RpcCaller,
	hash: string,
): Promise<readonly JsonObject[]> {
	const answer = await reader.call('trace_transaction', [hash]);
	return answer === null ? [] : parseTraceList(answer);
}

/** How many transactions are read at the same time. */
const TRANSACTION_CONCURRENCY = 500;

/** Failed traces by the hash of their transaction; null if the node does not have it. */
const FAILED_TRACES = sharedKey(
	'evm.failedTraces',
	() => new Map<string, readonly JsonObject[] | null>(),
);

/**
 * Reads whether the effects of each trace were undone; null if the node cannot tell. A nested call is also undone if a
 * call above it failed, so all traces of its transaction are read.
 */
export async function readTraceReverts(
	reader: RpcReader,
	traces: readonly JsonObject[],
): Promise<(trace: JsonObject) => boolean | null> {
	const known = reader.shared(FAILED_TRACES);
	const unknown = findTransactionsToCheck(traces).filter((hash) => !known.has(hash));
	await mapInParallel(unknown.length, TRANSACTION_CONCURRENCY, async (index) => {
		const hash = unknown[index] ?? '';
		const all = await readTransactionTraces(reader, hash);
		known.set(hash, all.length > 0 ? all.filter(({ error }) => Boolean(error)) : null);
	});
	return (trace) => {
		const failures = isNested(trace) ? known.get(getTransactionHash(trace)) : [];
		return !trace.error && !failures ? null : isReverted(trace, failures ?? []);
	};
}

function isNested(trace: JsonObject): boolean {
	return (getTracePath(trace)?.length ?? 0) > 0;
}

export function getBlockNumber(trace: JsonObject): number {
	return parseBlockNumber(trace.blockNumber);
}

/** Returns the path of a trace in its transaction; undefined if the node does not return it. */
export function getTracePath({ traceAddress }: JsonObject): readonly number[] | undefined {
	return Array.isArray(traceAddress) ? (traceAddress as unknown[]).map(parseIndex) : undefined;
}

/** Merges the traces of several searches, without duplicates. */
export function mergeTraces(lists: ReadonlyArray<readonly JsonObject[]>): JsonObject[] {
	const known = new Set<string>();
	return lists.flatMap((list) => {
		const before = new Set(known);
		return list.filter((trace) => {
			const isFound = (isUnique(trace) ? known : before).has(getTraceId(trace));
			known.add(getTraceId(trace));
			return !isFound;
		});
	});
}

/** Whether a trace can be identified, so that duplicates are found. Some nodes return a trace twice. */
function isUnique({ transactionHash, traceAddress }: JsonObject): boolean {
	return Boolean(transactionHash) && Array.isArray(traceAddress);
}

/** Sorts traces in the order of execution. Block rewards belong to no transaction, and come at the end of their block. */
export function sortTraces(traces: readonly JsonObject[]): JsonObject[] {
	return traces
		.map((trace) => ({ trace, position: getTracePosition(trace) }))
		.sort((a, b) => comparePositions(a.position, b.position))
		.map(({ trace }) => trace);
}

function getTraceId({ blockNumber, transactionHash, traceAddress, action }: JsonObject): string {
	return JSON.stringify([blockNumber, transactionHash ?? action, traceAddress ?? action]);
}

function getTracePosition(trace: JsonObject): number[] {
	return [
		getBlockNumber(trace),
		parseIndex(trace.transactionPosition),
		...(getTracePath(trace) ?? []),
	];
}

function parseIndex(quantity: unknown): number {
	return Number(quantityToNumber(quantity) ?? Infinity);
}

/** Compares positions. A call comes before the calls that it makes. */
function comparePositions(a: readonly number[], b: readonly number[]): number {
	const at = a.findIndex((index, depth) => index !== b[depth]);
	if (at < 0) return a.length - b.length;
	return (a[at] ?? 0) - (b[at] ?? -1);
}

/** Finds the transactions with nested calls, whose traces must be read to know which of the calls were undone. */
export function findTransactionsToCheck(traces: readonly JsonObject[]): string[] {
	const nested = traces.filter((trace) => !trace.error && isNested(trace));
	return [...new Set(nested.map(getTransactionHash))].filter((hash) => hash !== '');
}

export function getTransactionHash({ transactionHash }: JsonObject): string {
	return typeof transactionHash === 'string' ? transactionHash.toLowerCase() : '';
}

/** Whether the effects of a trace were undone, because the trace failed, or a call above it failed. */
export function isReverted(trace: JsonObject, failures: readonly JsonObject[] = []): boolean {
	const path = getTracePath(trace) ?? [];
	return Boolean(trace.error) || failures.some((failure) => isAbove(getTracePath(failure), path));
}

function isAbove(one: readonly number[] | undefined, path: readonly number[]): boolean {
	return (
		one !== undefined && one.length < path.length && one.every((at, depth) => at === path[depth])
	);
}
