import type { RestReader } from '../core/chain/reader';
import type { IPollFunctions } from 'n8n-workflow';
import { InvalidInput } from '../core/errors/invalidInput';
import { RequestFailure } from '../core/errors/requestFailure';
import {
	createCursorAfter,
	mergeChainIdentity,
	type Cursor,
	type SavedCursor,
} from '../core/chain/cursor';
import { MAX_ITEMS_PER_POLL } from '../core/trigger/catchUp';
import { createCursorStorage, resumeOrBegin } from '../core/trigger/cursorStorage';
import { NOTHING_LOST, throwIfBehind, throwIfLate } from '../core/trigger/lag';
import { createPollStorage, type Item } from '../core/trigger/poll';
import { throwNoSample, type Sample } from '../core/trigger/pollEvent';
import { readFirstHash, readHeads } from '../core/witness/blocks';
import { readBlocks, type Block } from '../core/witness/readBlocks';
import type { BlockRef } from '../core/chain/blocks';
import type { WitnessView } from './witnessView';

/** The reader, and the choices of the user, by which a poll finds what is new. */
export interface PollSearch {
	readonly reader: RestReader;
	readonly view: WitnessView;
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	readonly sample: Sample;
	readonly maxBlocksPerPoll: number;
}

type Heads = Awaited<ReturnType<typeof readHeads>>;

/** Goes on from where the last poll stopped. The saved cursor moves only together with what is emitted. */
export async function readNews(
	context: IPollFunctions,
	{ reader, view, watched, maxBlocksPerPoll }: PollSearch,
	deadline: number,
): Promise<readonly Item[]> {
	const storage = createPollStorage(context, createCursorStorage(context));
	const [heads, first] = await Promise.all([readHeads(reader), readFirstHash(reader)]);
	const { irreversible } = heads;
	if (!irreversible) return [];
	const chain = { id: CHAIN_ID, first };
	const saved = resumeOrBegin(context, storage, {
		watched,
		isSameChain: (before) => isSameChain(before.chain, chain),
		begin: () => {
			throwIfViewLags(heads);
			return { chain, watched, cursor: createCursorAfter(irreversible) };
		},
	});
	if (!saved) return [];
	const limits = { last: irreversible.number, maxBlocks: maxBlocksPerPoll, deadline };
	const { items, reached, failure } = await catchUp(reader, view, saved.cursor, limits);
	const cursor = reached ? createCursorAfter(reached) : saved.cursor;
	const next = { chain: mergeChainIdentity(saved.chain, chain), watched, cursor };
	const isOurs = await storage.replaceWith(next, items);
	if (items.length > 0) return isOurs ? items : [];
	const progress = { last: irreversible.number, toleratedBlocks: TOLERATED_BLOCKS };
	throwIfLate(failure, progress);
	throwIfViewLags(heads);
	throwIfBehind(cursor, progress, 'Its irreversible blocks end with');
	return [];
}

/** The nodes of this family name no chain; its first block tells one from another. */
const CHAIN_ID = 'witness';

function isSameChain(before: SavedCursor['chain'], present: SavedCursor['chain']): boolean {
	return (
		before.id === present.id &&
		(before.first === null || present.first === null || before.first === present.first)
	);
}

/** A node may be so many blocks behind, which take five minutes, before a poll fails. */
const TOLERATED_BLOCKS = 100;

/** A view of what is irreversible may stand still while the chain goes on. */
function throwIfViewLags({ latest, irreversible }: Heads): void {
	if (!irreversible || latest.number - irreversible.number <= TOLERATED_BLOCKS) return;
	const lag = latest.timestamp - irreversible.timestamp;
	throw new RequestFailure(
		`What the node gives as irreversible is ${Math.round(lag / 60_000)} minutes behind its head`,
		{
			description: `It ends with block ${irreversible.number}, and the head is block ${latest.number}. ${NOTHING_LOST}`,
		},
	);
}

interface CatchUpLimits {
	/** The last block that may be read. */
	readonly last: number;
	/** How many blocks to read, not counting those before the first find. */
	readonly maxBlocks: number;
	readonly deadline: number;
}

interface CaughtUp {
	readonly items: readonly Item[];
	/** The last block that was read. */
	readonly reached: BlockRef | undefined;
	/** The reason why the reading ended too early. */
	readonly failure?: unknown;
}

/**
 * Reads up to the last block as long as there is time. Quiet blocks do not count: n8n stores the cursor only with an
 * execution, so that many of them may have to be read again after a restart. When a block fails, what the ones before it
 * gave is kept, and the next poll meets the failure again.
 */
async function catchUp(
	reader: RestReader,
	view: WitnessView,
	{ checkpoints, next }: Cursor,
	{ last, maxBlocks, deadline }: CatchUpLimits,
): Promise<CaughtUp> {
	const items: Item[] = [];
	let reached: BlockRef | undefined;
	let end = last;
	try {
		for await (const block of flatten(
			readBlocks(reader, { from: next, to: last }, checkpoints.at(-1)),
		)) {
			const found = await view.findItems(block);
			if (items.length === 0 && found.length > 0)
				end = Math.min(last, block.number - 1 + maxBlocks);
			for (const item of found) items.push(item);
			reached = { number: block.number, hash: block.hash };
			if (block.number >= end || items.length >= MAX_ITEMS_PER_POLL || Date.now() >= deadline)
				break;
		}
	} catch (failure) {
		return { items, reached, failure };
	}
	return { items, reached };
}

async function* flatten(lists: AsyncIterable<readonly Block[]>): AsyncGenerator<Block> {
	for await (const list of lists) yield* list;
}

/** How many blocks are searched at a time, from the newest back. */
const SAMPLE_BLOCKS = 20;

/** Reads the latest event, as a sample for the person who builds the workflow. */
export async function readSample(
	{ reader, view, sample, maxBlocksPerPoll }: PollSearch,
	deadline: number,
): Promise<Item> {
	const { irreversible } = await readHeads(reader);
	if (!irreversible) throw new InvalidInput('No block of the chain is irreversible yet');
	const oldest = Math.max(0, irreversible.number - maxBlocksPerPoll + 1);
	for (let to = irreversible.number; to >= oldest; to -= SAMPLE_BLOCKS) {
		const from = Math.max(oldest, to - SAMPLE_BLOCKS + 1);
		let latest: Item | undefined;
		for await (const block of flatten(readBlocks(reader, { from, to }))) {
			latest = (await view.findItems(block)).at(-1) ?? latest;
		}
		if (latest) return latest;
		if (Date.now() > deadline) return throwNoSample(sample, irreversible.number - from + 1);
	}
	return throwNoSample(sample, irreversible.number - oldest + 1);
}
