import { isOnChain, nowKnown, type Kept } from '../core/chain/kept';
import {
	startAt,
	startFrom,
	type News,
	type Place,
	type Position,
	type Step,
} from '../core/chain/position';
import type { ChainId } from '../core/chain/view';
import type { Memory } from './memory';
import { Stretch } from './stretch';

/** What was missed while n8n was down is read, but not the blocks of many days. A cut is always bridged. */
const MOST_MISSED = 100_000;

/** How far a trigger has come, over one connection after another, and what it has not told yet. */
export class Progress {
	/** Kept over a cut, which may be the answer to a stretch that was too large. */
	readonly stretch = new Stretch();
	private kept: Kept | undefined;
	private hasBegun = false;
	private news: News[] = [];

	constructor(
		private readonly memory: Memory,
		private readonly watched: string,
		private readonly tell: (news: readonly News[]) => void,
	) {
		this.kept = memory.load();
	}

	/** Goes on where it stopped; begins at the head with nothing kept, on another chain, or with something else to watch. */
	begin(chain: ChainId, head: Place): void {
		const { kept, hasBegun, watched } = this;
		this.hasBegun = true;
		const isSame = kept !== undefined && isOnChain(kept, chain, head);
		const goesOn = isSame && kept.watched === watched;
		const first = head.number - MOST_MISSED + 1;
		const isTooFar = goesOn && !hasBegun && kept.position.next < first;
		if (goesOn && !isTooFar) {
			this.kept = { ...kept, chain: nowKnown(kept.chain, chain) };
			return;
		}
		const position = isTooFar ? startFrom(first) : startAt(head);
		this.kept = { chain, watched, position };
		this.memory.save(this.kept);
		if (isTooFar || (kept && !isSame)) this.memory.begunAnew(position.next);
	}

	get position(): Position {
		return (this.kept as Kept).position;
	}

	apply({ position, news }: Step): void {
		this.kept = { ...(this.kept as Kept), position };
		this.news.push(...news);
	}

	/** What was found since the last time is told at once: it starts one execution. */
	flush(): void {
		if (!this.kept || this.news.length === 0) return;
		this.memory.save(this.kept);
		this.tell(this.news.splice(0));
	}
}
