import { sleep } from 'n8n-workflow';
import { createTimeoutSignal, unlessAborted } from '../../../nodes/core';

/** The position of one payment among the payments of a run. */
export interface RunPlace {
	/** The number with which it was prepared. If nothing is signed for it, a later payment takes the number. */
	offer(number: bigint | null): void;
	/** Reports that the rules allow this payment. Resolves once they have allowed all payments of the run. */
	waitForAll(): Promise<void>;
	/** Signs the payment after the earlier ones, with the next number. A payment that could not be signed leaves no gap. */
	sign<Signed>(sign: (number: bigint | null) => Promise<Signed>): Promise<Signed>;
	/** Resolves once the earlier payments are sent. */
	waitForTurn(): Promise<void>;
	/** Resolves once all payments of the run are sent, or will not be; at the latest after this many milliseconds. */
	waitForAllSent(limitMs: number): Promise<void>;
	/** Reports that the payment is sent or will not be sent, so that the next payment may be sent. */
	pass(): void;
}

/**
 * The payments of one account in a run. None is signed before the rules have allowed all of them. They are signed and sent in the order of
 * the items.
 */
export class PaymentRun {
	private undecided = 0;
	private allow: () => void = () => {};
	private readonly allAllowed = new Promise<void>((resolve) => (this.allow = resolve));
	/** The number of the next payment to sign, or null on a chain without numbers. */
	private next: bigint | null = null;
	private readonly signed = new ItemQueue();
	private readonly sent = new ItemQueue();

	/** Adds a payment to the run. All items call it in the same tick, before they await anything, so that their order is kept. */
	enrol(): RunPlace {
		this.undecided++;
		const [signing, sending] = [this.signed.join(), this.sent.join()];
		const decide = once(() => {
			if (--this.undecided === 0) this.allow();
		});
		return {
			offer: (number) => this.offer(number),
			waitForAll: async () => {
				decide();
				await this.allAllowed;
				// The pause lets the failure of another item stop the run before anything is signed.
				await sleep(0);
			},
			sign: async (sign) => {
				await signing.before;
				const made = await sign(this.next);
				if (this.next !== null) this.next++;
				signing.leave();
				return made;
			},
			waitForTurn: async () => await sending.before,
			waitForAllSent: async (limitMs) => {
				await unlessAborted(this.sent.end, createTimeoutSignal(limitMs));
			},
			pass: () => {
				decide();
				signing.leave();
				sending.leave();
			},
		};
	}

	/** Keeps the lowest number that was offered. If the payment with this number is refused, another payment takes the number. */
	private offer(number: bigint | null): void {
		if (number !== null && (this.next === null || number < this.next)) this.next = number;
	}
}

/** A queue in which items take turns in the order in which they joined. */
export class ItemQueue {
	private last: Promise<void> = Promise.resolve();

	/** Resolves once every item that has joined the queue has left it. */
	get end(): Promise<void> {
		return this.last;
	}

	join() {
		const { last: before } = this;
		let leave: () => void = () => {};
		this.last = new Promise((resolve) => (leave = () => void before.then(resolve)));
		return { before, leave: () => leave() };
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
