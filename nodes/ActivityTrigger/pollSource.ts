import type { ViewSource } from '../core/trigger/triggerEvent';
import type { RpcReader } from '../core/chain/reader';

/** Traces have a reader of their own, because a service may serve blocks and traces at different paths. */
export interface PollSource extends ViewSource {
	readonly traces: RpcReader;
	readonly includeReverted: boolean;
}
