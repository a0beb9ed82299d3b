import { countBlocks, type ChainIdentity } from '../chain/blocks';
import {
	belongsToChain,
	createCursorAfter,
	createCursorAt,
	hasBlock,
	mergeChainIdentity,
	type ChainPosition,
	type Cursor,
	type Emission,
} from '../chain/cursor';
import {
	chainPositionStorage,
	formatNextBlock,
	readBlocksOn,
	splitBack,
	type FollowedChain,
	type ChainPart,
	type PresentChain,
	type ReadLimits,
} from '../chain/follow';
import { throwIfBehind, throwIfNodeIsLate } from '../chain/lag';
import type { RpcReader } from '../chain/reader';
import { findStartBlock } from '../chain/startAt';
import type { JsonObject } from '../values/json';
import { isRecord } from '../values/parse';
import { readTimedBlock } from './blockAtTime';
import { createBranchView, readBlockRef, type StarkWatch } from './branch';
import { formatFelt } from './felts';
import { readHeads, type Acceptance } from './heads';
import { readChainId } from './reader';

/** The position of a trigger on its chain. It stores the ids of emitted events. */
interface StarkPosition extends ChainPosition {
	/**
	 * The ids of emitted events whose blocks were replaced. When they appear again, they are not emitted a second time.
	 */
	readonly orphaned: readonly string[];
}

/** Follows the watched events in blocks that are final enough. */
export function followEvents(
	reader: RpcReader,
	watch: StarkWatch,
	until: Acceptance,
): FollowedChain<StarkPosition> {
	return {
		storage: POSITION_STORAGE,
		formatPlace: formatNextBlock,
		check: async () => await watch.check?.(),
		readPresent: async (before) => await readPresent(reader, watch, until, before),
		searchBack: (reach) => searchBack(reader, watch, until, reach),
	};
}

/** The number of blocks that are read at a time. */
const BLOCKS_PER_RANGE = 200;
/** A poll fails if the node is further behind than this many blocks. */
const TOLERATED_LAG_BLOCKS = 20;

async function readPresent(
	reader: RpcReader,
	watch: StarkWatch,
	until: Acceptance,
	saved: StarkPosition | undefined,
): Promise<PresentChain<StarkPosition>> {
	const [{ latest, last }, chain] = await Promise.all([
		readHeads(reader, until, saved?.cursor.next),
		readChainIdentity(reader),
	]);
	const toRead = {
		head: { number: latest.number, time: NaN },
		last: last.number,
		blocksPerRange: BLOCKS_PER_RANGE,
	};
	return {
		isSameChain: (before) => belongsToChain(before, chain, latest),
		begin: () => ({ chain, cursor: createCursorAfter(last), orphaned: [] }),
		beginAt: async (start) => {
			const block = await findStartBlock(start, last.number, async (number) => {
				const time = (await readTimedBlock(reader, number))?.time;
				return time === undefined ? undefined : time / 1000;
			});
			return { chain, cursor: createCursorAt(block, last), orphaned: [] };
		},
		async *readOn(before, reach) {
			if (hasBlock(before.cursor, last)) return;
			const known = mergeChainIdentity(before.chain, chain);
			let { orphaned } = before;
			const view = createBranchView(reader, watch);
			for await (const step of readBlocksOn(before.cursor, view, toRead, reach)) {
				const { cursor, emissions, blocks } = step;
				const found = dropRepeated(emissions, orphaned);
				({ orphaned } = found);
				yield { position: { chain: known, cursor, orphaned }, items: found.items, blocks };
			}
		},
		throwIfLate: ({ cursor }, failure) => {
			throwIfNodeIsLate(failure, { last: last.number, toleratedBlocks: TOLERATED_LAG_BLOCKS });
			throwIfBehind(cursor, { last: latest.number, toleratedBlocks: TOLERATED_LAG_BLOCKS });
		},
	};
}

/** Reads what identifies a chain. Two chains that have the same ID differ in the first block after their genesis block. */
export async function readChainIdentity(reader: RpcReader): Promise<ChainIdentity> {
	const [id, first] = await Promise.all([
		readChainId(reader),
		readBlockRef(reader, { block_number: 1 }),
	]);
	return { id: formatFelt(id), first: first?.hash ?? null };
}

/**
 * Drops events that were emitted before. When a block is replaced, most of its transactions appear again in another
 * block.
 */
function dropRepeated(emissions: readonly Emission[], before: readonly string[]) {
	const orphaned = new Set(before);
	const items: JsonObject[] = [];
	for (const { json, change } of emissions) {
		const id = String(json.id);
		if (change === 'removed') orphaned.add(id);
		else if (!orphaned.delete(id) && isRecord(json.item)) items.push(json.item);
	}
	return { items, orphaned: [...orphaned] };
}

/** The search for a sample event goes back in ever larger ranges of blocks. */
const SAMPLE_RANGES = { blocks: 10, factor: 4 };

async function* searchBack(
	reader: RpcReader,
	watch: StarkWatch,
	until: Acceptance,
	reach: ReadLimits,
): AsyncGenerator<ChainPart> {
	const { last } = await readHeads(reader, until);
	for (const range of splitBack(last.number, reach, SAMPLE_RANGES)) {
		const latest = (await watch.find(range)).at(-1);
		yield { items: latest ? [{ ...latest.item }] : [], blocks: countBlocks(range) };
	}
}

const MAX_ORPHANED = 500;

/**
 * Stores a position. Of the emitted events, it keeps only the ids, which suffice to recognize events that appear again.
 */
const POSITION_STORAGE: FollowedChain<StarkPosition>['storage'] = {
	parse: (data) => {
		const saved = chainPositionStorage.parse(data);
		return saved && { ...saved, orphaned: parseIds(data.orphaned) };
	},
	format: ({ orphaned, ...saved }) => ({
		...chainPositionStorage.format({ ...saved, cursor: withoutItems(saved.cursor) }),
		orphaned: orphaned.slice(-MAX_ORPHANED),
	}),
};

/** Imported workflows may bring anything. */
function parseIds(given: unknown): string[] {
	return Array.isArray(given) ? given.filter((id) => typeof id === 'string') : [];
}

function withoutItems(cursor: Cursor): Cursor {
	const checkpoints = cursor.checkpoints.map(({ emitted, ...block }) =>
		emitted ? { ...block, emitted: emitted.map(({ id }) => ({ id })) } : block,
	);
	return { ...cursor, checkpoints };
}
