import { wait } from '../pacing/wait';
import { backoff, type TriggerTiming } from './timing';

/** What a trigger listens on. */
export interface TriggerLine<Connection> {
	readonly timing: TriggerTiming;
	/** Opens it; `well` says that an outage is over. */
	open(well: () => void): Promise<Connection>;
	/** Emits what happens until the connection is over, and fails with the reason. */
	follow(connection: Connection, well: () => void): Promise<never>;
	/** Called once for an outage that lasts. */
	report(cause: unknown): void;
}

/** Keeps a trigger going until it is closed: opens again whatever is over. */
export async function keepOpen<Connection>(
	{ timing, open, follow, report }: TriggerLine<Connection>,
	first: Connection | undefined,
	closing: AbortSignal,
): Promise<void> {
	const outage = new Outage(report, timing.outage);
	const well = () => outage.ended();
	let attempt = 0;
	for (let connection = first; !closing.aborted; connection = undefined) {
		let since = Infinity;
		try {
			connection ??= await open(well);
			since = Date.now();
			await follow(connection, well);
		} catch (cause) {
			if (!closing.aborted) outage.goesOn(cause);
		}
		attempt = Date.now() - since > timing.goodLife ? 0 : attempt + 1;
		await wait(backoff(attempt, timing), closing);
	}
}

/** Reports an outage that lasts, once. */
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
