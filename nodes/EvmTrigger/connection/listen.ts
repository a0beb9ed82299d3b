import { RequestFailure } from '../../core/errors/requestFailure';
import { wait } from '../../core/pacing/wait';
import type { Timing } from '../timing';
import type { Connection } from './connection';

interface Line {
	/** A connection that is subscribed. */
	connect(): Promise<Connection>;
	/** Emits what happens until the connection is over; says when it has caught up. */
	follow(connection: Connection, caughtUp: () => void): Promise<void>;
	/** Called once for an outage that lasts. */
	report(cause: unknown): void;
}

/** Keeps a trigger going until it is closed: connects again whenever the connection is over. */
export async function listen(
	{ connect, follow, report }: Line,
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

/** With jitter, so that many triggers do not come back together. */
function backoff(attempt: number, { firstBackoff, longestBackoff }: Timing): number {
	const full = Math.min(firstBackoff * 2 ** attempt, longestBackoff);
	return full / 2 + Math.random() * (full / 2);
}

class Outage {
	private since: number | undefined;
	private isReported = false;

	constructor(
		private readonly report: (cause: unknown) => void,
		private readonly patience: number,
	) {}

	goesOn(cause: unknown): void {
		this.since ??= Date.now();
		if (this.isReported || Date.now() - this.since < this.patience) return;
		this.isReported = true;
		this.report(cause);
	}

	ended(): void {
		this.since = undefined;
		this.isReported = false;
	}
}
