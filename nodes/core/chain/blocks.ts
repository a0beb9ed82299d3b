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

/** Splits a range into parts of which each is read with one request. */
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
	/** The time in Unix seconds; NaN if the node does not return it. */
	readonly time: number;
}

/** The values that distinguish one chain from another. */
export interface ChainIdentity {
	readonly id: string;
	/**
	 * The hash of block 1. It differs even between restarts of a chain with the same genesis block. Null if the block
	 * does not exist yet, or if the node does not keep it.
	 */
	readonly first: string | null;
}

/** Is thrown if the blocks of one read belong to two branches: the chain may have changed during the read. */
export class ReorgDuringRead extends NodeLagging {}

/**
 * Returns null if the node refused a request, since nodes may report a missing block as an error. Refusals because of
 * rights or limits are thrown.
 */
export function nullIfRefused(failure: unknown): null {
	const isRefused =
		isPermanent(failure) && failure.httpCode !== 429 && !isLimitNamed(failure.message);
	return isRefused ? null : rethrow(failure);
}
