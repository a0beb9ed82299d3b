import type { ChainObject } from '../core/evm/chainObject';
import { watchedBy } from '../core/evm/follow/savedState';
import type { Params } from '../core/operation/field';
import type { Connection } from './connection';
import type { fields } from './fields';
import { beginBlocks, followBlocks } from './followBlocks';
import type { Memory } from './memory';
import { PendingWatch } from './pendingWatch';
import { Progress } from './progress';
import { blockItem, blocks, logItem, logs } from './subjects';

/** What an event means on a connection. */
export interface Watch {
	/** Subscribes. */
	readonly begin: (connection: Connection) => Promise<void>;
	/** Tells what happens until the connection is over; says when it has caught up. */
	readonly follow: (connection: Connection, caughtUp: () => void) => Promise<void>;
	/** What becomes of the events of an outage. */
	readonly meanwhile: string;
}

export function watchFor(
	{ event, addresses = [], topics = [], simplify = true }: Params<typeof fields>,
	memory: Memory,
	emit: (items: readonly ChainObject[]) => void,
): Watch {
	if (event === 'pendingTransaction') return new PendingWatch(emit);
	const isLog = event === 'log';
	const subjectOn = isLog ? logs({ addresses, topics }) : blocks;
	const asItem = isLog ? logItem : blockItem;
	const watched = watchedBy(event, addresses, JSON.stringify(topics));
	const progress = new Progress(memory, watched, (emissions) =>
		emit(emissions.map((one) => asItem(one, simplify))),
	);
	return {
		begin: async (connection) => await beginBlocks(connection, progress),
		follow: async (connection, caughtUp) =>
			await followBlocks(connection, subjectOn(connection.ask), progress, caughtUp),
		meanwhile: 'What happens meanwhile is read as soon as the node is back.',
	};
}
