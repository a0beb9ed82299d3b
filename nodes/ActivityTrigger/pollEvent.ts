import type { ChainView } from '../core/follow/advance';
import type { Sample } from '../core/trigger/poll';
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
