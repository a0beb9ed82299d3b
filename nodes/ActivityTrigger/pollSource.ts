import type { ViewSource } from '../core/trigger/triggerEvent';
import type { RpcReader } from '../core/chain/reader';

/** Blocks and traces may be served at two different paths. */
export interface PollSource extends ViewSource {
	readonly traces: RpcReader;
	readonly includeReverted: boolean;
}
