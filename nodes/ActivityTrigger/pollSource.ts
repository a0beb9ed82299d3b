import type { ViewSource } from '../core/trigger/triggerEvent';
import type { ChainReader } from '../core/transport/rpc/chain';

/** Blocks and traces may be at two paths. */
export interface PollSource extends ViewSource {
	readonly traces: ChainReader;
	readonly includeReverted: boolean;
}
