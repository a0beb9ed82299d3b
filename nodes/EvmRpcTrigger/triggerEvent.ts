import type { Field, Params } from '../core/operation/field';
import type { EventInfo } from '../core/operation/panel';
import type { TriggerTiming } from '../core/trigger/listen';
import type { Connection, ConnectionTiming } from './connection';
import type { ExecutionQueue, RetryTiming } from './executionQueue';
import type { CursorStorage } from './cursor';

/** What the trigger gives to the follower of its event. */
export interface TriggerDeps {
	readonly executions: ExecutionQueue;
	readonly storage: CursorStorage;
	readonly timing: SocketTriggerTiming;
	/** Reports what may be lost. */
	readonly report: (cause: unknown) => void;
}

/** In milliseconds. Reading the chain backs off as retries do. */
export interface SocketTriggerTiming extends TriggerTiming, ConnectionTiming, RetryTiming {
	/** No pending transaction for so long: resubscribe; most chains are never so quiet. */
	readonly renewalMs: number;
}

/** Emits an event's items, over one connection after another. */
export interface Follower {
	/** Subscribes. */
	subscribe(connection: Connection): Promise<void>;
	/** Emits items until the connection is closed; `caughtUp` ends an outage. */
	follow(connection: Connection, caughtUp: () => void): Promise<void>;
	/** Reported with an outage: what becomes of the events meanwhile. */
	readonly outageAdvice: string;
}

/** An event that the user can choose. */
interface TriggerEvent<Fields extends readonly Field[]> extends EventInfo {
	readonly fields: Fields;
	createFollower(parameters: Params<Fields>, deps: TriggerDeps): Follower;
}

/** Any event, its fields' types erased. */
export interface AnyTriggerEvent extends EventInfo {
	createFollower(parameters: never, deps: TriggerDeps): Follower;
}

/** Infers the types of the fields. */
export function triggerEvent<const Fields extends readonly Field[]>(
	event: TriggerEvent<Fields>,
): TriggerEvent<Fields> {
	return event;
}
