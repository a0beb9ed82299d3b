import type { SavedCursor } from '../core/chain/cursor';
import type { EventInfo } from '../core/operation/panel';
import type { ParameterSource } from '../core/operation/parameters';
import type { TriggerTiming } from '../core/trigger/reconnect';
import type { Connection, ConnectionTiming } from './connection';
import type { Execution, ExecutionQueue, RetryTiming } from './executionQueue';

/** Functions and settings that the trigger gives to the listener of its event. */
export interface TriggerDeps {
	readonly executions: ExecutionQueue;
	readonly timing: SocketTriggerTiming;
	/** Reports events that may be lost, with the cause. */
	readonly report: (cause: unknown) => void;
	/** Shows a hint once, which is not a failure. */
	readonly addHint: (hint: string) => void;
	/** Warns that the trigger continues on another chain than before, at the block of the cursor. */
	readonly warnOfAnotherChain: (cursor: SavedCursor) => void;
}

/** All times are in milliseconds. Attempts to read the chain are separated by the same growing pauses as retries. */
export interface SocketTriggerTiming extends TriggerTiming, ConnectionTiming, RetryTiming {
	/**
	 * If no pending transaction comes for this long, the trigger subscribes again, because most chains are never so
	 * quiet.
	 */
	readonly renewalMs: number;
}

/** The items that a listener has found since the last step, or the news that it has read everything for now. */
export type SocketStep = ({ readonly kind: 'found' } & Execution) | { readonly kind: 'caughtUp' };

/** Finds the items of an event. It works over one connection after another. */
export interface Listener {
	/** Subscribes to announcements of the node. */
	subscribe(connection: Connection): Promise<void>;
	/** Reads until the connection is closed. It pauses until the caller has taken the previous step. */
	listen(connection: Connection): AsyncIterable<SocketStep>;
	/** This text is added to the report of an outage. It says what happens to events during the outage. */
	readonly outageAdvice: string;
}

/** An event that the user can choose. */
export interface SocketEvent extends EventInfo {
	createListener(source: ParameterSource, deps: TriggerDeps): Listener;
}
