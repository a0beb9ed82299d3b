import type { Stop } from './stop';

/** The shortest time from one round to the next. */
const INTERVAL = 1000;

interface Round {
	readonly at: number;
	readonly begins: Promise<void>;
	room: number;
	isOver: boolean;
}

/**
 * Lets what waits in a run come back together: in each round as many calls as fit into one request, and at most one
 * round a second, however many items wait.
 */
export class PollScheduler {
	private latest?: Round;

	constructor(
		private readonly size: number,
		private readonly stop: Stop,
	) {}

	async wait(milliseconds: number, calls: number): Promise<void> {
		const round = this.roundFrom(Date.now() + milliseconds, calls);
		round.room -= calls;
		await round.begins;
		round.isOver = true;
	}

	/** Coming back a little early, with the others, is better than a round of one's own. */
	private roundFrom(wanted: number, calls: number): Round {
		const { latest } = this;
		const isSoonEnough = latest && !latest.isOver && latest.at >= wanted - INTERVAL / 2;
		if (isSoonEnough && latest.room >= calls) return latest;
		const at = Math.max(wanted, latest ? latest.at + INTERVAL : 0);
		const begins = this.stop.pause(at - Date.now());
		this.latest = { at, begins, room: this.size, isOver: false };
		return this.latest;
	}
}
