import { RequestFailure } from '../../core/errors/requestFailure';
import { wait } from '../../core/pacing/wait';
import { Outage } from '../../core/trigger/outage';
import { backoff } from '../../core/trigger/timing';
import type { Timing } from '../timing';
import type { Connection } from './connection';

interface ListenSteps {
	/** A connection that is subscribed. */
	connect(): Promise<Connection>;
	/** Emits what happens until the connection is over; says when it has caught up. */
	follow(connection: Connection, caughtUp: () => void): Promise<void>;
	/** Called once for an outage that lasts. */
	report(cause: unknown): void;
}

/** Keeps a trigger going until it is closed: connects again whenever the connection is over. */
export async function listen(
	{ connect, follow, report }: ListenSteps,
	first: Connection | undefined,
	closing: AbortSignal,
	timing: Timing,
): Promise<void> {
	const outage = new Outage(report, timing.outage);
	let attempt = 0;
	for (let connection = first; !closing.aborted; connection = undefined) {
		let since = Infinity;
		try {
			connection ??= await connect();
			since = Date.now();
			await follow(connection, () => outage.ended());
			throw connection.failure ?? new RequestFailure('The node closed the connection');
		} catch (cause) {
			if (!closing.aborted) outage.goesOn(cause);
		}
		connection?.close();
		attempt = Date.now() - since > timing.goodLife ? 0 : attempt + 1;
		await wait(backoff(attempt, timing), closing);
	}
}
