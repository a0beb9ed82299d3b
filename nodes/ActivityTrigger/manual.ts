import type { ChainView } from '../core/evm/follow/advance';
import type { ChainEvent } from '../core/evm/follow/cursor';
import { Refusal } from '../../credentials/refusal';
import type { Wanted } from './fields';
import { blockRanges } from '../core/evm/blockRange';

/** The latest that happened, as a sample for whoever builds the workflow. */
export async function latest(
	head: number,
	{ event, confirmations, maxBlocksPerPoll }: Wanted,
	view: ChainView,
	deadline: number,
): Promise<ChainEvent> {
	if (head < 0) {
		throw new Refusal(
			'No block of the chain is old enough yet',
			`The option 'Confirmations' asks for ${confirmations} blocks that follow it.`,
		);
	}
	const count = Math.min(event === 'newBlock' ? 1 : maxBlocksPerPoll, head + 1);
	let searched = 0;
	for (const { from, to } of blockRanges(0, count - 1)) {
		const found = (await view.events(head - to, head - from)).at(-1);
		if (found) return found;
		searched = to + 1;
		if (Date.now() > deadline) break;
	}
	throw new Refusal(
		`No activity of these addresses in the last ${searched} blocks`,
		"Check the addresses, or let the option 'Max Blocks Per Poll' search further back. Once the workflow is active, all that happens from then on is told.",
	);
}
