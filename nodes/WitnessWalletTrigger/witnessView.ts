import type { Item } from '../core/trigger/poll';
import type { Block } from '../core/witness/readBlocks';

/** What of the chain is watched. */
export interface WitnessView {
	/** The items of a block, in the order of the chain. */
	findItems(block: Block): Promise<readonly Item[]> | readonly Item[];
}

export function formatBlockTime({ timestamp }: Block): string {
	return new Date(timestamp).toISOString();
}
