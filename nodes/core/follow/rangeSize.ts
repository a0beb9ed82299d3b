import { BLOCKS_AT_ONCE } from '../chain/blocks';

const NARROWING = 4;
const FORGIVEN_AFTER = 20;

/** How many blocks are read at a time: fewer for a node that fails at so many, or ends the connection over them. */
export class RangeSize {
	blocks = BLOCKS_AT_ONCE;
	private failedAt = BLOCKS_AT_ONCE + 1;
	private successes = 0;

	/** The node may have said how many it takes. */
	narrow(proposed = Math.ceil(this.blocks / NARROWING)): void {
		this.failedAt = this.blocks;
		this.successes = 0;
		this.blocks = Math.max(Math.min(proposed, this.blocks - 1), 1);
	}

	/** After a success more is tried again, but less than what failed; after many, that too: it may have failed by chance. */
	widen(): void {
		if (++this.successes === FORGIVEN_AFTER) this.failedAt = BLOCKS_AT_ONCE + 1;
		this.blocks = Math.max(Math.min(this.blocks * 2, this.failedAt - 1), 1);
	}

	reset(): void {
		this.blocks = BLOCKS_AT_ONCE;
		this.failedAt = BLOCKS_AT_ONCE + 1;
	}
}
