import { sleep } from 'n8n-workflow';

/** The place of one payment among those of a run. */
export interface RunPlace {
	/** The rules allow it. Resolves once they have allowed all of the run. */
	waitForAll(): Promise<void>;
	/** Resolves once those before it are sent. */
	waitForTurn(): Promise<void>;
	/** It is sent, or will not be: what comes behind it may be sent. */
	pass(): void;
}

/**
 * The payments of a run. None is signed before the rules have allowed all of them; then they are sent in the order of the
 * items, each once the one before it is sent.
 */
export class PaymentRun {
	private undecided = 0;
	private allow: () => void = () => {};
	private readonly allAllowed = new Promise<void>((resolve) => (this.allow = resolve));
	private last: Promise<void> = Promise.resolve();

	/** All items call this in the same tick, before anything is awaited. */
	enrol(): RunPlace {
		this.undecided++;
		const before = this.last;
		let send: () => void = () => {};
		this.last = new Promise((resolve) => (send = resolve));
		const decide = once(() => {
			if (--this.undecided === 0) this.allow();
		});
		return {
			waitForAll: async () => {
				decide();
				await this.allAllowed;
				// A failure of another item may stop the run in this tick.
				await sleep(0);
			},
			waitForTurn: async () => await before,
			pass: () => {
				decide();
				void before.then(send);
			},
		};
	}
}

function once(act: () => void): () => void {
	let isDone = false;
	return () => {
		if (isDone) return;
		isDone = true;
		act();
	};
}
