import { Refusal } from '../../credentials/refusal';
import { blockRanges } from '../core/evm/blockRange';
import type { ChainView } from '../core/evm/follow/advance';
import type { ChainEvent } from '../core/evm/follow/cursor';
import type { Chosen } from './options';

/** All blocks count as settled: a sample proves nothing. */
const SETTLED = Infinity;

/** The latest that happened, as a sample for whoever builds the workflow. */
export async function latest(
	head: number,
	searches: number,
	{ confirmations }: Chosen,
	view: ChainView,
	deadline: number,
): Promise<ChainEvent> {
	if (head < 0) {
		throw new Refusal(
			'No block of the chain is old enough yet',
			`The option 'Confirmations' asks for ${confirmations} blocks that follow it.`,
		);
	}
	const count = Math.min(searches, head + 1);
	let searched = 0;
	for (const { from, to } of blockRanges(0, count - 1)) {
		const found = (await view.events({ from: head - to, to: head - from }, SETTLED)).at(-1);
		if (found) return found;
		searched = to + 1;
		if (Date.now() > deadline) break;
	}
	throw new Refusal(
		`No activity of these addresses in the last ${searched} blocks`,
		"Check the addresses, or raise the option 'Max Blocks Per Poll' to search further back. Once the workflow is published, it starts for everything that happens from then on.",
	);
}
