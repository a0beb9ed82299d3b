import { isOnChain, nowKnown, type SavedState } from '../core/evm/follow/savedState';
import {
	startAt,
	startFrom,
	type Emission,
	type Cursor,
	type Advance,
} from '../core/evm/follow/cursor';
import { type BlockRef } from '../core/evm/blockRef';
import type { ChainId } from '../core/evm/header';
import type { Memory } from './memory';
import { RangeSize } from './rangeSize';

/** What was missed while n8n was down is read, but not the blocks of many days. A cut is always bridged. */
const MOST_MISSED = 100_000;

/** How far a trigger has come, over one connection after another, and what it has not told yet. */
export class Progress {
	/** Kept over a cut, which may be the answer to a stretch that was too large. */
	readonly rangeSize = new RangeSize();
	private saved: SavedState | undefined;
	private hasBegun = false;
	private emissions: Emission[] = [];

	constructor(
		private readonly memory: Memory,
		private readonly watched: string,
		private readonly emit: (emissions: readonly Emission[]) => void,
	) {
		this.saved = memory.load();
	}

	/** Goes on where it stopped; begins at the head with nothing kept, on another chain, or with something else to watch. */
	begin(chain: ChainId, head: BlockRef): void {
		const { saved, hasBegun, watched } = this;
		this.hasBegun = true;
		const isSame = saved !== undefined && isOnChain(saved, chain, head);
		const goesOn = isSame && saved.watched === watched;
		const first = head.number - MOST_MISSED + 1;
		const isTooFar = goesOn && !hasBegun && saved.cursor.next < first;
		if (goesOn && !isTooFar) {
			this.saved = { ...saved, chain: nowKnown(saved.chain, chain) };
			return;
		}
		const cursor = isTooFar ? startFrom(first) : startAt(head);
		this.saved = { chain, watched, cursor };
		this.memory.save(this.saved);
		if (isTooFar || (saved && !isSame)) this.memory.begunAnew(cursor.next);
	}

	get cursor(): Cursor {
		return (this.saved as SavedState).cursor;
	}

	apply({ cursor, emissions }: Advance): void {
		this.saved = { ...(this.saved as SavedState), cursor };
		this.emissions.push(...emissions);
	}

	/** What was found since the last time is told at once: it starts one execution. */
	flush(): void {
		if (!this.saved || this.emissions.length === 0) return;
		this.memory.save(this.saved);
		this.emit(this.emissions.splice(0));
	}
}
