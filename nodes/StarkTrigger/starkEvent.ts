import type { BlockRange, EventFilter, StarkEvent } from '../core/stark/events';
import type { StarkNode } from '../core/stark/node';
import type { Sample } from '../core/trigger/poll';
import type { TriggerEvent } from '../core/trigger/triggerEvent';

/** The events that a trigger watches. */
export interface StarkWatch {
	/** Finds the events of these blocks, in the order of the chain. */
	find(range: BlockRange, lastBlock?: EventFilter['lastBlock']): Promise<FoundEvent[]>;
}

/** An event of the chain, and the item that the user gets of it. */
export interface FoundEvent {
	readonly event: StarkEvent;
	readonly item: object;
}

/** An event that a poll can look for. */
export interface StarkTriggerEvent extends TriggerEvent<StarkNode, StarkWatch> {
	readonly sample: Omit<Sample, 'maxBlocks'>;
}
