import { STRETCH } from '../core/chain/follow';

const NARROWING = 4;

/** How many blocks are read at a time: fewer for a node that fails at so many, or ends the connection over them. */
export class Stretch {
	size = STRETCH;
	private failedAt = STRETCH + 1;

	narrow(): void {
		this.failedAt = this.size;
		this.size = Math.ceil(this.size / NARROWING);
	}

	/** A cut may have been chance, so after a success more is tried again, but less than what failed. */
	widen(): void {
		this.size = Math.max(Math.min(this.size * 2, this.failedAt - 1), 1);
	}

	reset(): void {
		this.size = STRETCH;
		this.failedAt = STRETCH + 1;
	}
}
