import type { Sample } from '../core/trigger/poll';
import type { TriggerEvent } from '../core/trigger/triggerEvent';
import type { Block } from '../core/witness/readBlocks';
import type { WitnessReader } from '../core/witness/reader';

export type Item = Readonly<Record<string, unknown>>;

/** What of the chain is watched. */
export interface WitnessView {
	/** The items of a block, in the order of the chain. */
	findItems(block: Block): Promise<readonly Item[]> | readonly Item[];
}

/** An event that a poll can look for. */
export interface WitnessEvent extends TriggerEvent<WitnessReader, WitnessView> {
	readonly sample: Sample;
}

export function formatBlockTime({ timestamp }: Block): string {
	return new Date(timestamp).toISOString();
}
