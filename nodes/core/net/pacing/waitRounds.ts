import type { Stop } from './stop';

/** The shortest time between two rounds, in milliseconds. */
const MIN_ROUND_INTERVAL_MS = 1000;

interface PollRound {
	readonly due: number;
	readonly start: Promise<void>;
	/** How many more calls the round may contain. */
	capacity: number;
	hasStarted: boolean;
}

/** Groups the polls of many items into rounds. A round is one request, and there is at most one round per second. */
export class WaitRounds {
	private latest?: PollRound;

	constructor(
		/** The largest number of calls in one request. */
		private readonly maxCalls: number,
		private readonly stop: Stop,
	) {}

	async wait(milliseconds: number, calls: number): Promise<void> {
		const round = this.findOrOpenRound(Date.now() + milliseconds, calls);
		round.capacity -= calls;
		await round.start;
		round.hasStarted = true;
	}

	/**
	 * Finds or opens the round for a poll. A round is a request that several polls share. A poll may join a round up to
	 * half an interval early, which saves a request.
	 */
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
