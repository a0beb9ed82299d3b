import { heightOf } from './blocks';
import { asNumber, type ChainObject } from './objects';

export function blockOf(trace: ChainObject): number {
	return heightOf(trace.blockNumber);
}

/** Where in its transaction a trace stands; undefined where the node does not say. */
export function pathOf({ traceAddress }: ChainObject): readonly number[] | undefined {
	return Array.isArray(traceAddress) ? (traceAddress as unknown[]).map(indexOf) : undefined;
}

/** The traces of several searches; one that was found already is left out. */
export function union(lists: ReadonlyArray<readonly ChainObject[]>): ChainObject[] {
	const known = new Set<string>();
	return lists.flatMap((list) => {
		const before = new Set(known);
		return list.filter((trace) => {
			const isFound = (isUnique(trace) ? known : before).has(identity(trace));
			known.add(identity(trace));
			return !isFound;
		});
	});
}

/** Whether there cannot be another one like it. Some nodes name a trace twice in one answer. */
function isUnique({ transactionHash, traceAddress }: ChainObject): boolean {
	return Boolean(transactionHash) && Array.isArray(traceAddress);
}

/** As they were executed; rewards, which belong to no transaction, at the end of their block. */
export function inOrder(traces: readonly ChainObject[]): ChainObject[] {
	return traces
		.map((trace) => ({ trace, position: positionOf(trace) }))
		.sort((a, b) => compare(a.position, b.position))
		.map(({ trace }) => trace);
}

function identity({ blockNumber, transactionHash, traceAddress, action }: ChainObject): string {
	return JSON.stringify([blockNumber, transactionHash ?? action, traceAddress ?? action]);
}

function positionOf(trace: ChainObject): number[] {
	return [blockOf(trace), indexOf(trace.transactionPosition), ...(pathOf(trace) ?? [])];
}

function indexOf(quantity: unknown): number {
	return Number(asNumber(quantity) ?? Infinity);
}

/** A call comes before those that it makes. */
function compare(a: readonly number[], b: readonly number[]): number {
	const at = a.findIndex((index, depth) => index !== b[depth]);
	if (at < 0) return a.length - b.length;
	return (a[at] ?? 0) - (b[at] ?? -1);
}

/** The transactions whose traces must be read to know whether these were undone: those of nested calls. */
export function transactionsToCheck(traces: readonly ChainObject[]): string[] {
	const nested = traces.filter((trace) => !trace.error && (pathOf(trace)?.length ?? 0) > 0);
	return [...new Set(nested.map(transactionOf))].filter((hash) => hash !== '');
}

export function transactionOf({ transactionHash }: ChainObject): string {
	return typeof transactionHash === 'string' ? transactionHash.toLowerCase() : '';
}

/** Whether what a trace did was undone, because it failed or is below one of the calls that did. */
export function isReverted(trace: ChainObject, failures: readonly ChainObject[] = []): boolean {
	const path = pathOf(trace) ?? [];
	return Boolean(trace.error) || failures.some((failure) => isAbove(pathOf(failure), path));
}

function isAbove(one: readonly number[] | undefined, path: readonly number[]): boolean {
	return (
		one !== undefined && one.length < path.length && one.every((at, depth) => at === path[depth])
	);
}
