import { advanceCursor } from '../../../nodes/core/follow/advance';
import { createCursorAfter, type Cursor, type Emission } from '../../../nodes/core/follow/cursor';
import type { BlockRef } from '../../../nodes/core/evm/blocks';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import type { ModelChain } from './modelChain.mts';

/** Replays emitted events: added, and removed again. */
class EmissionLedger {
	readonly emitted: unknown[] = [];
	readonly hashes = new Set<unknown>();
	private readonly numbers = new Set<unknown>();

	add({ json, change: fate }: Emission, emitsRemovals: boolean): void {
		if (fate === 'removed') {
			expect(json).toEqual(this.emitted.pop());
			return;
		}
		if (!emitsRemovals) {
			const isKnown = this.hashes.has(json.hash);
			const expected = this.numbers.has(json.number) ? 'replacing' : 'new';
			expect([isKnown, fate]).toEqual([false, expected]);
		}
		this.hashes.add(json.hash);
		this.numbers.add(json.number);
		this.emitted.push(json);
	}
}

/** Follows a chain and checks after each step that the emitted events equal the chain. */
export class ModelFollower {
	cursor: Cursor;
	private readonly ledger = new EmissionLedger();
	private readonly start: number;

	constructor(
		private readonly chain: ModelChain,
		private readonly emitsRemovals: boolean,
	) {
		this.start = chain.height;
		this.cursor = createCursorAfter(chain.getBlockRef(this.start) as BlockRef);
	}

	async advance(to: number): Promise<void> {
		const before = this.chain.changes;
		try {
			const step = await advanceCursor(this.cursor, to, this.chain.view);
			step.emissions.forEach((emissions) => this.ledger.add(emissions, this.emitsRemovals));
			this.cursor = JSON.parse(JSON.stringify(step.cursor)) as Cursor;
			expect(this.cursor).toEqual(step.cursor);
			const reached = this.cursor.next - 1;
			const isSettled = reached === to || this.chain.changes === before;
			if (isSettled && Math.max(to, reached) <= this.chain.height) this.check(step.emissions);
		} catch (error) {
			// The node fell behind during the read, so nothing changed.
			if (!(error instanceof RequestFailure)) throw error;
		}
	}

	private check(emissions: readonly Emission[]): void {
		const removed = emissions
			.filter(({ change: fate }) => fate === 'removed')
			.map(({ json }) => json);
		const everything = this.chain.getEvents(0, Infinity).map(({ json }) => json);
		for (const json of removed) expect(everything).not.toContainEqual(json);
		const events = everything.filter(
			({ number }) => Number(number) > this.start && Number(number) < this.cursor.next,
		);
		if (this.emitsRemovals) expect(this.ledger.emitted).toEqual(events);
		expect(events.filter(({ hash }) => !this.ledger.hashes.has(hash))).toEqual([]);
		expect(this.cursor.checkpoints.length).toBeLessThanOrEqual(64);
	}
}
