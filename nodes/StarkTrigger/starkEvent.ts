import type { BlockRange, EventFilter, StarkEvent } from '../core/stark/events';

/** What of the chain is watched. */
export interface StarkWatch {
	/** What happened in these blocks, in the order of the chain. */
	find(range: BlockRange, lastBlock?: EventFilter['lastBlock']): Promise<FoundEvent[]>;
}

/** An event of the chain, and what the user sees of it. */
export interface FoundEvent {
	readonly event: StarkEvent;
	readonly item: object;
}
