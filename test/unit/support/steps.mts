import type { ChainView } from '../../../nodes/core/chain/advance';
import type { Head } from '../../../nodes/core/chain/blocks';
import { formatEmission, type Cursor } from '../../../nodes/core/chain/cursor';
import { readBlocksOn, type ReadLimits, type Step } from '../../../nodes/core/chain/follow';

/** Creates a function that reads from a cursor to the last block in steps. A poll of a trigger uses it. */
export function stepsFrom(start: Cursor, view: ChainView, head: Head, last = head.number) {
	return async function* (reach: ReadLimits): AsyncGenerator<Step<Cursor>> {
		for await (const step of readBlocksOn(start, view, { head, last }, reach)) {
			const items = step.emissions.map((one) => formatEmission(one, view));
			yield { position: step.cursor, items, blocks: step.blocks };
		}
	};
}
