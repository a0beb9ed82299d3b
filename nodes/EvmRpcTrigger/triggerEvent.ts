import type { Field, Params } from '../core/operation/field';
import type { Described } from '../core/operation/panel';
import type { Connection } from './connection';
import type { ExecutionQueue } from './executionQueue';
import type { PositionStorage } from './position';
import type { Timing } from './timing';

/** What an event needs of the trigger that waits for it. */
export interface TriggerDeps {
	readonly executions: ExecutionQueue;
	readonly storage: PositionStorage;
	readonly timing: Timing;
	/** Tells the user of something that may be lost. */
	readonly report: (cause: unknown) => void;
}

/** What a trigger does on a connection. */
export interface Follower {
	/** Subscribes. */
	begin(connection: Connection): Promise<void>;
	/** Emits what happens until the connection is over; says when it has caught up. */
	follow(connection: Connection, caughtUp: () => void): Promise<void>;
	/** What becomes of the events of an outage. */
	readonly meanwhile: string;
}

/** An event that the trigger can wait for: one file, and its name in the menu. */
export interface TriggerEvent<Fields extends readonly Field[]> extends Described {
	readonly fields: Fields;
	follower(parameters: Params<Fields>, around: TriggerDeps): Follower;
}

/** An event among others: its own types are known to itself alone. */
export interface AnyTriggerEvent extends Described {
	follower(parameters: never, around: TriggerDeps): Follower;
}

/** Gives an event its types; at run time it returns the event as it is. */
export function triggerEvent<const Fields extends readonly Field[]>(
	event: TriggerEvent<Fields>,
): TriggerEvent<Fields> {
	return event;
}
