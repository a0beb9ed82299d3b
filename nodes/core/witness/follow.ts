import { countBlocks, type ChainIdentity } from '../chain/blocks';
import {
	createCursorAfter,
	createCursorAt,
	mergeChainIdentity,
	type ChainPosition,
} from '../chain/cursor';
import {
	chainPositionStorage,
	formatNextBlock,
	splitBack,
	type FollowedChain,
	type ChainPart,
	type PresentChain,
	type ReadLimits,
} from '../chain/follow';
import { NOTHING_LOST, throwIfBehind, throwIfNodeIsLate } from '../chain/lag';
import type { RestReader } from '../chain/reader';
import { findStartBlock } from '../chain/startAt';
import { InvalidInput } from '../errors/invalidInput';
import { RequestFailure } from '../errors/requestFailure';
import type { JsonObject } from '../values/json';
import { readBlockHeader, readFirstHash, readHeads } from './blocks';
import { readBlocks, type Block } from './readBlocks';

/** A trigger's choice of items, which it finds in each block. */
export interface WitnessView {
	/** Finds the items of a block, in the order of the chain. */
	findItems(block: Block): Promise<readonly JsonObject[]> | readonly JsonObject[];
}

/** Follows the irreversible blocks. */
export function followBlocks(reader: RestReader, view: WitnessView): FollowedChain<ChainPosition> {
	return {
		storage: chainPositionStorage,
		formatPlace: formatNextBlock,
		readPresent: async () => await readPresent(reader, view),
		searchBack: (reach) => searchBack(reader, view, reach),
	};
}

/** Nodes of TRON do not name their chain. All chains get this ID, and the first block tells them apart. */
export const CHAIN_ID = 'witness';
/** A poll fails if the node is further behind than this many blocks, which take five minutes. */
const TOLERATED_BLOCKS = 100;

async function readPresent(
	reader: RestReader,
	view: WitnessView,
): Promise<PresentChain<ChainPosition> | null> {
	const [heads, first] = await Promise.all([readHeads(reader), readFirstHash(reader)]);
	const { irreversible } = heads;
	if (!irreversible) return null;
	const chain = { id: CHAIN_ID, first };
	const last = irreversible.number;
	return {
		isSameChain: (before) => isSameChain(before.chain, chain),
		begin: () => {
			throwIfViewLags(heads);
			return { chain, cursor: createCursorAfter(irreversible) };
		},
		beginAt: async (start) => {
			throwIfViewLags(heads);
			const readTime = async (number: number) => await readBlockTime(reader, number);
			const block = await findStartBlock(start, last, readTime);
			return { chain, cursor: createCursorAt(block, irreversible) };
		},
		async *readOn({ chain: before, cursor: { next, checkpoints } }) {
			const known = mergeChainIdentity(before, chain);
			for await (const blocks of readBlocks(reader, { from: next, to: last }, checkpoints.at(-1))) {
				for (const block of blocks) {
					const items = await view.findItems(block);
					const cursor = createCursorAfter(block);
					yield { position: { chain: known, cursor }, items, blocks: 1 };
				}
			}
		},
		throwIfLate: ({ cursor }, failure) => {
			const progress = { last, toleratedBlocks: TOLERATED_BLOCKS };
			throwIfNodeIsLate(failure, progress);
			throwIfViewLags(heads);
			throwIfBehind(cursor, progress, 'Its irreversible blocks end with');
		},
	};
}

/** In Unix seconds. */
async function readBlockTime(reader: RestReader, number: number): Promise<number> {
	return Math.floor((await readBlockHeader(reader, number)).timestamp / 1000);
}

function isSameChain(before: ChainIdentity, present: ChainIdentity): boolean {
	return (
		before.id === present.id &&
		(before.first === null || present.first === null || before.first === present.first)
	);
}

/** Throws if the irreversible blocks of the node have stopped, while its newest blocks continue. */
function throwIfViewLags({ latest, irreversible }: Awaited<ReturnType<typeof readHeads>>): void {
	if (!irreversible || latest.number - irreversible.number <= TOLERATED_BLOCKS) return;
	const lag = latest.timestamp - irreversible.timestamp;
	throw new RequestFailure(
		`The irreversible blocks of the chain node are ${Math.round(lag / 60_000)} minutes behind its latest block`,
		{
			description: `The irreversible blocks end with block ${irreversible.number}, and the latest block is ${latest.number}. ${NOTHING_LOST}`,
		},
	);
}

/** The number of blocks that are searched at a time for a sample event. */
const SAMPLE_BLOCKS = 20;

async function* searchBack(
	reader: RestReader,
	view: WitnessView,
	reach: ReadLimits,
): AsyncGenerator<ChainPart> {
	const { irreversible } = await readHeads(reader);
	if (!irreversible) throw new InvalidInput('No block of the chain is irreversible yet');
	for (const range of splitBack(irreversible.number, reach, { blocks: SAMPLE_BLOCKS })) {
		let latest: JsonObject | undefined;
		for await (const blocks of readBlocks(reader, range)) {
			for (const block of blocks) latest = (await view.findItems(block)).at(-1) ?? latest;
		}
		yield { items: latest ? [latest] : [], blocks: countBlocks(range) };
	}
}
