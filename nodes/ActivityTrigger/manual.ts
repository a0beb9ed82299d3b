import type { ChainView } from '../core/chain/follow';
import type { Happening } from '../core/chain/position';
import { Refusal } from '../core/refusal';
import type { Wanted } from './fields';
import { stretches } from './stretches';

/** The latest that happened, as a sample for whoever builds the workflow. */
export async function latest(
	head: number,
	{ event, confirmations, maxBlocksPerPoll }: Wanted,
	view: ChainView,
	deadline: number,
): Promise<Happening> {
	if (head < 0) {
		throw new Refusal(
			'No block of the chain is old enough yet',
			`The option 'Confirmations' asks for ${confirmations} blocks that follow it.`,
		);
	}
	const count = Math.min(event === 'newBlock' ? 1 : maxBlocksPerPoll, head + 1);
	let searched = 0;
	for (const { from, to } of stretches(0, count - 1)) {
		const found = (await view.happenings(head - to, head - from)).at(-1);
		if (found) return found;
		searched = to + 1;
		if (Date.now() > deadline) break;
	}
	throw new Refusal(
		`No activity of these addresses in the last ${searched} blocks`,
		"Check the addresses, or let the option 'Max Blocks Per Poll' search further back. Once the workflow is active, all that happens from then on is told.",
	);
}
