/** A block's place on the chain. */
export interface BlockRef {
	readonly number: number;
	readonly hash: string;
	/** Not every source tells it. */
	readonly parentHash?: string;
}
