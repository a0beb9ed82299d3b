import { asNumber, type ChainObject } from '../core/evm/chainObject';
import { simpleTrace } from '../core/evm/simpleTrace';
import { heightOf } from '../core/evm/header';

/** The sender or the recipient of a trace. */
export type Side = 'from' | 'to';

/** Whether one of these addresses, in lower case, is on this side of a trace. */
export function hasParty(trace: ChainObject, side: Side, addresses: ReadonlySet<string>): boolean {
	return addresses.has(String(simpleTrace(trace)[side]).toLowerCase());
}

export function blockOf(trace: ChainObject): number {
	return heightOf(trace.blockNumber);
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
		.map((trace) => ({ trace, blockRef: placeOf(trace) }))
		.sort((a, b) => compare(a.blockRef, b.blockRef))
		.map(({ trace }) => trace);
}

function identity({ blockNumber, transactionHash, traceAddress, action }: ChainObject): string {
	return JSON.stringify([blockNumber, transactionHash ?? action, traceAddress ?? action]);
}

function placeOf(trace: ChainObject): number[] {
	const path = Array.isArray(trace.traceAddress) ? (trace.traceAddress as unknown[]) : [];
	return [blockOf(trace), indexOf(trace.transactionPosition), ...path.map(indexOf)];
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
