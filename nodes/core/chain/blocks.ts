import { NodeLagging } from '../errors/nodeLagging';
import { isPermanent } from '../errors/requestFailure';
import { isLimitNamed } from '../net/responses/rpcErrors';
import { rethrow } from '../values/parse';

/** A block, identified by its number and its hash. */
export interface BlockRef {
	readonly number: number;
	readonly hash: string;
	/** Some sources do not contain the hash of the parent block. */
	readonly parentHash?: string;
}

/** Consecutive blocks, both ends included. */
export interface BlockRange {
	readonly from: number;
	readonly to: number;
}

/** Counts the blocks of a range, including the first and the last block. */
export function countBlocks({ from, to }: BlockRange): number {
	return to - from + 1;
}

/** How many blocks are read at a time. Few nodes let one search span many more blocks. */
export const BLOCKS_PER_REQUEST = 100;

/** Cuts a range into pieces that are read with one request each. */
export function splitRange(from: number, to: number): BlockRange[] {
	return Array.from(
		{ length: Math.ceil(countBlocks({ from, to }) / BLOCKS_PER_REQUEST) },
		(_, index) => {
			const start = from + index * BLOCKS_PER_REQUEST;
			return { from: start, to: Math.min(start + BLOCKS_PER_REQUEST - 1, to) };
		},
	);
}

/** The chain's latest block. The age of other blocks is measured from it. */
export interface Head {
	readonly number: number;
	/** Unix seconds; NaN where the node does not return it. */
	readonly time: number;
}

/** The values that distinguish one chain from another. */
export interface ChainIdentity {
	readonly id: string;
	/**
	 * The hash of block 1, whose time differs even when a chain is restarted from the same genesis. Null where there is
	 * none yet, and with nodes that do not keep it.
	 */
	readonly first: string | null;
}

/** Is thrown if the blocks of one read belong to two branches: the chain may have changed during the read. */
export class ReorgDuringRead extends NodeLagging {}

/** A node may report a missing block as an error. A refusal because of rights or limits is still a failure. */
export function nullIfRefused(failure: unknown): null {
	const isRefused =
		isPermanent(failure) && failure.httpCode !== 429 && !isLimitNamed(failure.message);
	return isRefused ? null : rethrow(failure);
}
