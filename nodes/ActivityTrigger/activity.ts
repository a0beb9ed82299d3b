import { listOfObjects, type ChainObject } from '../core/evm/chainObject';
import type { ChainEvent } from '../core/evm/follow/cursor';
import { simpleTrace } from '../core/evm/simpleTrace';
import { headerAt, headersBetween, hex, type Ask } from '../core/evm/header';
import type { Wanted } from './fields';
import { blockRanges, type BlockRange } from '../core/evm/blockRange';
import { blockOf, hasParty, inOrder, union, type Side } from './traces';
import type { AskAt, Watch } from './watch';

/** The calls and transfers of some addresses. */
export function addressActivity(wanted: Wanted, askAt: AskAt): Watch {
	const ask = askAt(wanted.blockPath);
	const search = searchFor(wanted, askAt(wanted.tracePath));
	return {
		isTakenBack: true,
		blockRef: async (number) => await headerAt(ask, number),
		events: async (from, to) => {
			const traces = (await Promise.all(blockRanges(from, to).map(search))).flat();
			return await eventsOf(traces, ask, wanted.simplify);
		},
		item: ({ json, fate }) => ({ ...json, removed: fate === 'removed' }),
	};
}

/**
 * Senders and recipients are asked for apart: together some nodes take them as either, others as both. What comes
 * back is checked, because not every node heeds the filter.
 */
function searchFor({ addresses = [], direction = 'any' }: Wanted, ask: Ask) {
	const sides: readonly Side[] = direction === 'any' ? ['from', 'to'] : [direction];
	const watched = new Set(addresses.map((address) => address.toLowerCase()));
	const searchSide = async (side: Side, { from, to }: BlockRange) => {
		const filter = { fromBlock: hex(from), toBlock: hex(to), [`${side}Address`]: addresses };
		const answer = await ask('trace_filter', [filter]);
		return listOfObjects('a list of traces')(answer).filter(
			(trace) => blockOf(trace) >= from && blockOf(trace) <= to && hasParty(trace, side, watched),
		);
	};
	return async (rangeSize: BlockRange): Promise<ChainObject[]> =>
		inOrder(union(await Promise.all(sides.map(async (side) => await searchSide(side, rangeSize)))));
}

async function eventsOf(
	traces: readonly ChainObject[],
	ask: Ask,
	simplify: boolean,
): Promise<ChainEvent[]> {
	const hashes = await missingHashes(traces, ask);
	return traces.map((trace) => {
		const number = blockOf(trace);
		const hash = hashOf(trace) ?? hashes.get(number) ?? '';
		return { block: { number, hash }, json: simplify ? simpleTrace(trace) : trace };
	});
}

/** Some nodes do not say in their traces which block it was. */
async function missingHashes(traces: readonly ChainObject[], ask: Ask) {
	const numbers = [...new Set(traces.filter((trace) => !hashOf(trace)).map(blockOf))];
	const headers = await Promise.all(
		numbers.map(async (number) => await headersBetween(ask, number, number)),
	);
	return new Map(headers.flat().map(({ number, hash }) => [number, hash]));
}

function hashOf({ blockHash }: ChainObject): string | undefined {
	return typeof blockHash === 'string' && blockHash !== '' ? blockHash.toLowerCase() : undefined;
}
