import type { BlockRange } from '../core/chain/blocks';
import type { EventFilter, StarkEvent } from '../core/stark/events';

/** The events that a trigger watches. */
export interface StarkWatch {
	/** Fails where what the user chose does not exist. */
	check?(): Promise<void>;
	/** Finds the events of these blocks, in the order of the chain. */
	find(range: BlockRange, lastBlock?: EventFilter['lastBlock']): Promise<FoundEvent[]>;
}

/** An event of the chain, and the item that the user gets of it. */
export interface FoundEvent {
	readonly event: StarkEvent;
	readonly item: object;
}
