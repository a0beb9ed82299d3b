import type { Stop } from './stop';

/** The least number of milliseconds between two rounds. */
const MIN_ROUND_INTERVAL_MS = 1000;

interface PollRound {
	readonly due: number;
	readonly start: Promise<void>;
	/** How many more calls fit into the round. */
	capacity: number;
	hasStarted: boolean;
}

/** Groups the polls of many items into rounds of one request each, at most one round a second. */
export class WaitRounds {
	private latest?: PollRound;

	constructor(
		/** The limit of calls in a request. */
		private readonly maxCalls: number,
		private readonly stop: Stop,
	) {}

	async wait(milliseconds: number, calls: number): Promise<void> {
		const round = this.findOrOpenRound(Date.now() + milliseconds, calls);
		round.capacity -= calls;
		await round.start;
		round.hasStarted = true;
	}

	/** A poll joins a round up to half an interval early, because that is cheaper than a round of its own. */
	private findOrOpenRound(wanted: number, calls: number): PollRound {
		const { latest } = this;
		const isJoinable =
			latest && !latest.hasStarted && latest.due >= wanted - MIN_ROUND_INTERVAL_MS / 2;
		if (isJoinable && latest.capacity >= calls) return latest;
		const due = Math.max(wanted, latest ? latest.due + MIN_ROUND_INTERVAL_MS : 0);
		const start = this.stop.pause(due - Date.now());
		this.latest = { due, start, capacity: this.maxCalls, hasStarted: false };
		return this.latest;
	}
}
