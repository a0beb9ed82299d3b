import { BLOCKS_AT_ONCE } from '../core/evm/blockRange';

const NARROWING = 4;
const FORGIVEN_AFTER = 20;

/** How many blocks are read at a time: fewer for a node that fails at so many, or ends the connection over them. */
export class RangeSize {
	size = BLOCKS_AT_ONCE;
	private failedAt = BLOCKS_AT_ONCE + 1;
	private successes = 0;

	narrow(): void {
		this.failedAt = this.size;
		this.successes = 0;
		this.size = Math.ceil(this.size / NARROWING);
	}

	/** More is tried again after a success, but less than what failed; after many of them that too: it may have been chance. */
	widen(): void {
		if (++this.successes === FORGIVEN_AFTER) this.failedAt = BLOCKS_AT_ONCE + 1;
		this.size = Math.max(Math.min(this.size * 2, this.failedAt - 1), 1);
	}

	reset(): void {
		this.size = BLOCKS_AT_ONCE;
		this.failedAt = BLOCKS_AT_ONCE + 1;
	}
}
