import { Behind, LONGEST_LAG } from '../../core/evm/behind';
import { blockRanges, type BlockRange } from '../../core/evm/blockRange';
import { listOfObjects, type ChainObject } from '../../core/evm/objects/chainObject';
import { hex } from '../../core/evm/header';
import { simpleTrace } from '../../core/evm/objects/simpleTrace';
import { allTraces } from '../../core/evm/traces/tracePages';
import { blockOf, inOrder, union } from '../../core/evm/traces/order';
import type { Asks } from '../pollEvent';
import { isOf, witnessIn, type Witness } from './witness';

/** The sender or the recipient of a trace. */
type Side = 'from' | 'to';

/**
 * The calls and transfers of some addresses. Senders and recipients are asked for apart: together some nodes take them
 * as either, others as both. What comes back is checked, because not every node heeds the filter. Of young blocks a
 * transaction is asked for that must be there: an answer without it comes from a node that has not traced them yet.
 */
export function searchFor(
	addresses: readonly string[],
	direction: 'any' | Side,
	{ blocks, traces }: Asks,
) {
	const sides: readonly Side[] = direction === 'any' ? ['from', 'to'] : [direction];
	const watched = new Set(addresses.map((address) => address.toLowerCase()));

	const page = async (filter: object) =>
		listOfObjects('a list of traces')(await traces('trace_filter', [filter]));

	async function side(one: Side, { from, to }: BlockRange, witness?: Witness) {
		const parties = [...new Set([...addresses, ...(witness?.[one] ? [witness[one]] : [])])];
		const filter = { fromBlock: hex(from), toBlock: hex(to), [`${one}Address`]: parties };
		const found = await allTraces(page, filter);
		if (witness?.[one] && !found.some(isOf(witness))) {
			throw new Behind(witness.block, 'with all its traces');
		}
		return found.filter(
			(trace) => blockOf(trace) >= from && blockOf(trace) <= to && hasParty(trace, one, watched),
		);
	}

	async function search(range: BlockRange, witness?: Witness): Promise<ChainObject[]> {
		return inOrder(
			union(await Promise.all(sides.map(async (one) => await side(one, range, witness)))),
		);
	}

	return async ({ from, to }: BlockRange, head: number): Promise<readonly ChainObject[]> => {
		const young = Math.min(Math.max(from, head - LONGEST_LAG + 1), to + 1);
		const old = blockRanges(from, young - 1).map(async (range) => await search(range));
		const range = { from: young, to };
		const late =
			young > to ? [] : [witnessIn(blocks, range).then(async (one) => await search(range, one))];
		return (await Promise.all([...old, ...late])).flat();
	};
}

/** Whether one of these addresses, in lower case, is on this side of a trace. */
function hasParty(trace: ChainObject, side: Side, addresses: ReadonlySet<string>): boolean {
	return addresses.has(String(simpleTrace(trace)[side]).toLowerCase());
}
