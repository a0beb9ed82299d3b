import type { Item } from '../core/trigger/poll';
import type { Block } from '../core/witness/readBlocks';

/** The events that a trigger watches. */
export interface WitnessView {
	/** Finds the items of a block, in the order of the chain. */
	findItems(block: Block): Promise<readonly Item[]> | readonly Item[];
}

export function formatBlockTime({ timestamp }: Block): string {
	return new Date(timestamp).toISOString();
}
