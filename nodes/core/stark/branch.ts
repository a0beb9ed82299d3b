import { rethrow } from '../values/parse';
import { createHash } from 'crypto';
import { NodeLagging } from '../errors/nodeLagging';
import { ReorgDuringRead, type BlockRange, type BlockRef } from '../chain/blocks';
import { MAX_CHECKPOINTS, type ChainEvent } from '../chain/cursor';
import type { ChainView } from '../chain/advance';
import { findBlock, isIndex, formatHash, type BlockId } from './blocks';
import { formatFelt } from './felts';
import type { EventFilter, StarkEvent } from './events';
import { ERROR_CODES, getErrorCode } from './reader';
import { invalidResponseError } from '../net/responses/response';
import type { RpcReader } from '../chain/reader';
import { raise } from '../errors/raise';

/** The events that a trigger watches. */
export interface StarkWatch {
	/** Throws if the contract or event that the user chose does not exist. */
	check?(): Promise<void>;
	/** Finds the events of a range of blocks, in the order of the chain. */
	find(range: BlockRange, lastBlock?: EventFilter['lastBlock']): Promise<FoundEvent[]>;
}

/** An event of the chain, and the output item made from it. */
export interface FoundEvent {
	readonly event: StarkEvent;
	readonly item: object;
}

/**
 * Reads the number and the hashes of an accepted block. Returns null if the block does not exist or is not accepted
 * yet.
 */
export async function readBlockRef(
	reader: RpcReader,
	id: BlockId,
): Promise<Required<BlockRef> | null> {
	const block = await findBlock(reader, id);
	if (!block) return null;
	const { block_number: number } = block;
	const [hash, parentHash] = [formatHash(block.block_hash), formatHash(block.parent_hash)];
	// A block without a hash is still being made.
	if (hash === null) return null;
	return isIndex(number) && parentHash !== null
		? { number, hash, parentHash }
		: raise(invalidResponseError('a block with its number and its parent', block));
}

/** Reads the watched events on the present branch of the chain. The id of an event is the same on another branch. */
export function createBranchView(reader: RpcReader, watch: StarkWatch): ChainView {
	const readRef = async (number: number) => await readBlockRef(reader, { block_number: number });
	return {
		emitsRemovals: true,
		readBlockRef: readRef,
		readEvents: async (range, head) => {
			const end = await readRef(range.to);
			if (!end) throw new ReorgDuringRead(range.to);
			const found = await watch
				.find(range, end)
				.catch((failure) => raise(lagError(failure, range)));
			const blocks = found.map(({ event }) => requireBlock(event, range));
			const young = blocks.filter(({ number }) => number > head.number - MAX_CHECKPOINTS);
			await checkBranch(readRef, young);
			return identifyEvents(found).map(
				({ id, item }, index): ChainEvent => ({
					block: blocks[index] ?? end,
					json: { id, item },
				}),
			);
		},
	};
}

/**
 * Makes an error from a failed read of events. A node that does not have the last block is behind, so its list of events would be
 * incomplete.
 */
function lagError(failure: unknown, { to }: BlockRange): NodeLagging {
	if (getErrorCode(failure) === ERROR_CODES.blockUnknown) return new NodeLagging(to);
	return rethrow(failure);
}

/**
 * Returns the block of an event. An event in the block being made has no block hash, and may still leave that block.
 */
function requireBlock({ blockNumber, blockHash }: StarkEvent, range: BlockRange): BlockRef {
	if (blockNumber === null || blockHash === null) throw new ReorgDuringRead(range.to);
	const isInside = blockNumber >= range.from && blockNumber <= range.to;
	return isInside
		? { number: blockNumber, hash: formatFelt(blockHash) }
		: raise(invalidResponseError('events of the blocks that were asked for', blockNumber));
}

/** Throws if the chain now has other hashes for the numbers of these blocks. The events may then come from another branch. */
async function checkBranch(
	readRef: (number: number) => Promise<BlockRef | null>,
	blocks: readonly BlockRef[],
): Promise<void> {
	const numbers = [...new Set(blocks.map(({ number }) => number))];
	const refs = await Promise.all(numbers.map(readRef));
	const hashes = new Map(refs.map((ref, index) => [numbers[index], ref?.hash]));
	const orphan = blocks.find(({ number, hash }) => hashes.get(number) !== hash);
	if (orphan) throw new ReorgDuringRead(orphan.number);
}

const ID_CHARS = 16;

/**
 * Gives each event an id made of its transaction and its contents. A transaction is executed only once, so the id is
 * the same in any block.
 */
function identifyEvents(found: readonly FoundEvent[]) {
	const counts = new Map<string, number>();
	return found.map(({ event, item }) => {
		const { contract, transactionHash, keys, data } = event;
		const text = [contract, transactionHash, keys.join(), data.join()].join(' ');
		const count = (counts.get(text) ?? 0) + 1;
		counts.set(text, count);
		const digest = createHash('sha256').update(`${text} ${count}`).digest('base64url');
		return { id: digest.slice(0, ID_CHARS), item };
	});
}
