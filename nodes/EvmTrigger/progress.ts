import { isOnChain, type Kept } from '../core/chain/kept';
import { startAt, type News, type Place, type Position, type Step } from '../core/chain/position';
import type { Memory } from './memory';

/** What was missed while n8n was down is read, but not the blocks of many days. A cut is always bridged. */
const MOST_MISSED = 100_000;

/** How far a trigger has come, over one connection after another, and what it has not told yet. */
export class Progress {
	private kept: Kept | undefined;
	private hasBegun = false;
	private news: News[] = [];

	constructor(
		private readonly memory: Memory,
		private readonly tell: (news: readonly News[]) => void,
	) {
		this.kept = memory.load();
	}

	/** Goes on where it stopped; begins at the head with nothing kept, on another chain, or too far behind. */
	begin(chain: string, head: Place): void {
		const { kept, hasBegun } = this;
		this.hasBegun = true;
		const isSame = kept !== undefined && isOnChain(kept, chain, head);
		if (isSame && (hasBegun || head.number - kept.position.highest <= MOST_MISSED)) return;
		this.kept = { chain, position: startAt(head) };
		this.memory.save(this.kept);
		if (kept) this.memory.begunAnew(head.number);
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
