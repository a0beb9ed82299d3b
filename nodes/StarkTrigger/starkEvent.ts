import type { BlockRange, EventFilter, StarkEvent } from '../core/stark/events';
import type { StarkNode } from '../core/stark/node';
import type { TriggerEvent } from '../core/trigger/triggerEvent';

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

/** An event that a poll can look for. */
export interface StarkTriggerEvent extends TriggerEvent<StarkNode, StarkWatch> {
	/** What there is none of, and what the user should check then. */
	readonly sample: { readonly none: string; readonly check: string };
}
