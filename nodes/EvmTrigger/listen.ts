import { RequestFailure } from '../core/errors/requestFailure';
import type { Connection } from './connection';
import { timing } from './timing';
import { wait } from '../core/pacing/wait';

interface Line {
	/** A connection that is subscribed. */
	connect(): Promise<Connection>;
	/** Tells what happens until the connection is over; says when it has caught up. */
	follow(connection: Connection, caughtUp: () => void): Promise<void>;
	/** Called once for an outage that lasts. */
	report(cause: unknown): void;
}

/** Keeps a trigger going until it is closed: connects again whenever the connection is over. */
export async function listen(
	{ connect, follow, report }: Line,
	first: Connection | undefined,
	closing: AbortSignal,
): Promise<void> {
	const outage = new Outage(report);
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
		await wait(backoff(attempt), closing);
	}
}

/** With jitter, so that many triggers do not come back together. */
function backoff(attempt: number): number {
	const full = Math.min(timing.firstBackoff * 2 ** attempt, timing.longestBackoff);
	return full / 2 + Math.random() * (full / 2);
}

class Outage {
	private since: number | undefined;
	private isReported = false;

	constructor(private readonly report: (cause: unknown) => void) {}

	goesOn(cause: unknown): void {
		this.since ??= Date.now();
		if (this.isReported || Date.now() - this.since < timing.outage) return;
		this.isReported = true;
		this.report(cause);
	}

	ended(): void {
		this.since = undefined;
		this.isReported = false;
	}
}
