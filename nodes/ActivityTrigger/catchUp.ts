import type { ChainView } from '../core/evm/follow/advance';
import type { Advance, Cursor, Emission } from '../core/evm/follow/cursor';
import { RangeSize } from '../core/evm/follow/rangeSize';
import { readOn } from '../core/evm/follow/readOn';

interface Limits {
	/** The chain's latest block. */
	readonly head: number;
	/** The last block that may be read. */
	readonly last: number;
	/** How many blocks to read, not counting those before the first find. */
	readonly most: number;
	readonly deadline: number;
}

export interface CaughtUp extends Advance {
	/** Why it ended before it should. */
	readonly failure?: unknown;
}

/**
 * Goes on to the last block as long as there is time. Where nothing happened it goes on at once: n8n stores how far
 * it came only together with an execution, so after a restart there may be a long quiet range to read again. When a
 * range fails, what the ones before it gave is not lost: the failure will come again with the next poll.
 */
export async function catchUp(
	cursor: Cursor,
	view: ChainView,
	{ head, last, most, deadline }: Limits,
): Promise<CaughtUp> {
	const emissions: Emission[] = [];
	let reached = cursor;
	let end = last;
	const endNow = () => {
		if (emissions.length === 0) end = Math.min(last, reached.next - 1 + most);
		return end;
	};
	try {
		const reach = { head, last: endNow, size: new RangeSize() };
		for await (const step of readOn(cursor, view, reach)) {
			reached = step.cursor;
			emissions.push(...step.emissions);
			if (Date.now() >= deadline) break;
		}
	} catch (failure) {
		return { cursor: reached, emissions, failure };
	}
	return { cursor: reached, emissions };
}
