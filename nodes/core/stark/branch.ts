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
	/** Fails where what the user chose does not exist. */
	check?(): Promise<void>;
	/** Finds the events of these blocks, in the order of the chain. */
	find(range: BlockRange, lastBlock?: EventFilter['lastBlock']): Promise<FoundEvent[]>;
}

/** An event of the chain, and the item that the user gets of it. */
export interface FoundEvent {
	readonly event: StarkEvent;
	readonly item: object;
}

/** Reads a block that is accepted; null where there is none, or none yet. */
export async function readBlockRef(
	reader: RpcReader,
	id: BlockId,
): Promise<Required<BlockRef> | null> {
	const block = await findBlock(reader, id);
	if (!block) return null;
	const { block_number: number } = block;
	const [hash, parentHash] = [formatHash(block.block_hash), formatHash(block.parent_hash)];
	// The block being made has no hash.
	if (hash === null) return null;
	return isIndex(number) && parentHash !== null
		? { number, hash, parentHash }
		: raise(invalidResponseError('a block with its number and its parent', block));
}

/** Reads the watched events on the branch that the chain has at present. An event has an id that is the same on another branch. */
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

/** A node that does not have the last block refuses, so that none that is behind gives less than there is. */
function lagError(failure: unknown, { to }: BlockRange): NodeLagging {
	if (getErrorCode(failure) === ERROR_CODES.blockUnknown) return new NodeLagging(to);
	return rethrow(failure);
}

/** The block being made has a number in newer versions, but no hash: what is in it may still leave it. */
function requireBlock({ blockNumber, blockHash }: StarkEvent, range: BlockRange): BlockRef {
	if (blockNumber === null || blockHash === null) throw new ReorgDuringRead(range.to);
	const isInside = blockNumber >= range.from && blockNumber <= range.to;
	return isInside
		? { number: blockNumber, hash: formatFelt(blockHash) }
		: raise(invalidResponseError('events of the blocks that were asked for', blockNumber));
}

/** The events may have been read on another branch than that of the blocks at these heights. */
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

/** Names each event by its transaction and what it says: a transaction is executed once, in whichever block. */
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
