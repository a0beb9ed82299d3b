import type { ChainView } from '../core/follow/advance';
import type { TriggerEvent, ViewSource } from '../core/trigger/triggerEvent';
import type { ChainReader } from '../core/transport/rpc/chain';

/** Blocks and traces may be at two paths. */
export interface PollSource extends ViewSource {
	readonly traces: ChainReader;
	readonly includeReverted: boolean;
}

/** An event that a poll can look for. */
export interface PollEvent extends TriggerEvent<PollSource, ChainView> {
	readonly sample: Sample;
}

/** The latest event is shown while a workflow is built. */
export interface Sample {
	/** How many blocks are searched for it; without this, as many as a poll may read. */
	readonly maxBlocks?: number;
	/** What there is none of, as a sentence without its end. */
	readonly none: string;
	/** What the user should check then. */
	readonly check: string;
}
