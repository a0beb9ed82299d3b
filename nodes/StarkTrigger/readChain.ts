import type { RpcReader } from '../core/chain/reader';
import type { IPollFunctions } from 'n8n-workflow';
import type { ChainIdentity } from '../core/chain/blocks';
import {
	belongsToChain,
	createCursorAfter,
	hasBlock,
	mergeChainIdentity,
	type Emission,
} from '../core/chain/cursor';
import { formatFelt } from '../core/stark/felts';
import { readChainId } from '../core/stark/node';
import { catchUp, MAX_ITEMS_PER_POLL } from '../core/trigger/catchUp';
import { resumeOrBegin } from '../core/trigger/cursorStorage';
import { throwIfBehind, throwIfLate } from '../core/trigger/lag';
import { createPollStorage, type Item } from '../core/trigger/poll';
import { throwNoSample, type Sample } from '../core/trigger/pollEvent';
import { isRecord } from '../core/values/parse';
import { createBranchView, readBlockRef } from './branch';
import { readHeads } from './heads';
import { createStorage } from './storage';
import type { StarkWatch } from './starkEvent';

/** The reader, and the choices of the user, by which a poll finds what is new. */
export interface PollSearch {
	readonly node: RpcReader;
	readonly watch: StarkWatch;
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	readonly sample: Sample;
	readonly until: 'acceptedOnL1' | 'acceptedOnL2';
}

/** Goes on from where the last poll stopped. The saved cursor moves only together with what is emitted. */
export async function readNews(
	context: IPollFunctions,
	{ node, watch, watched, until }: PollSearch,
	deadline: number,
): Promise<readonly Item[]> {
	const storage = createPollStorage(context, createStorage(context));
	// A name that the contract does not have would find nothing, for ever.
	if (storage.saved?.watched !== watched) await watch.check?.();
	const [heads, chain] = await Promise.all([
		readHeads(node, until, storage.saved?.cursor.next),
		readChainIdentity(node),
	]);
	const { latest, last } = heads;
	const saved = resumeOrBegin(context, storage, {
		watched,
		isSameChain: (before) => belongsToChain(before, chain, latest),
		begin: () => ({ chain, watched, cursor: createCursorAfter(last), orphaned: [] }),
	});
	if (!saved || hasBlock(saved.cursor, last)) return [];
	const { cursor, emissions, failure } = await catchUp(
		saved.cursor,
		createBranchView(node, watch),
		{
			head: { number: latest.number, time: NaN },
			last: last.number,
			blocksPerRange: BLOCKS_PER_RANGE,
			maxItems: MAX_ITEMS_PER_POLL,
			deadline,
		},
	);
	const { items, orphaned } = dropRepeated(emissions, saved.orphaned);
	const next = { chain: mergeChainIdentity(saved.chain, chain), watched, cursor, orphaned };
	const isOurs = await storage.replaceWith(next, items);
	if (items.length > 0) return isOurs ? items : [];
	throwIfLate(failure, { last: last.number, toleratedBlocks: TOLERATED_LAG_BLOCKS });
	throwIfBehind(cursor, { last: latest.number, toleratedBlocks: TOLERATED_LAG_BLOCKS });
	return [];
}

/** How many blocks are read at a time. */
const BLOCKS_PER_RANGE = 200;
/** A node may be so far behind before a poll fails. */
const TOLERATED_LAG_BLOCKS = 20;

/** Two chains of one ID differ in their first block after the genesis. */
async function readChainIdentity(node: RpcReader): Promise<ChainIdentity> {
	const [id, first] = await Promise.all([
		readChainId(node),
		readBlockRef(node, { block_number: 1 }),
	]);
	return { id: formatFelt(id), first: first?.hash ?? null };
}

/** A transaction of a block that was replaced is mostly in another one, and its events were emitted before. */
function dropRepeated(emissions: readonly Emission[], before: readonly string[]) {
	const orphaned = new Set(before);
	const items: Item[] = [];
	for (const { json, change } of emissions) {
		const id = String(json.id);
		if (change === 'removed') orphaned.add(id);
		else if (!orphaned.delete(id) && isRecord(json.item)) items.push(json.item);
	}
	return { items, orphaned: [...orphaned] };
}

/** A sample is searched in ever wider ranges. */
const FIRST_SAMPLE_BLOCKS = 10;

/** Reads the latest event, as a sample for the person who builds the workflow. */
export async function readSample(
	{ node, watch, sample, until }: PollSearch,
	deadline: number,
): Promise<Item> {
	const { last } = await readHeads(node, until);
	let blocks = FIRST_SAMPLE_BLOCKS;
	for (let to = last.number; to >= 0 && Date.now() < deadline; blocks *= 4) {
		const from = Math.max(0, to - blocks + 1);
		const latest = (await watch.find({ from, to })).at(-1);
		if (latest) return { ...latest.item };
		to = from - 1;
	}
	return throwNoSample(sample);
}
