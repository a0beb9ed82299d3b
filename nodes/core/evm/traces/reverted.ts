import type { ChainObject } from '../objects/chainObject';
import { pathOf } from './order';

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
