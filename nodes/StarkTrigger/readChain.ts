import type { IPollFunctions } from 'n8n-workflow';
import { NodeLagging } from '../core/errors/nodeLagging';
import { RequestFailure } from '../core/errors/requestFailure';
import type { BlockRef, ChainIdentity } from '../core/evm/blocks';
import { BlockSpan } from '../core/evm/rangeSize';
import { readForward } from '../core/follow/advance';
import {
	belongsToChain,
	createCursorAfter,
	hasBlock,
	mergeChainIdentity,
	type Cursor,
	type Emission,
} from '../core/follow/cursor';
import { formatFelt } from '../core/stark/felts';
import { readChainId, type StarkNode } from '../core/stark/node';
import { warnOfAnotherChain } from '../core/trigger/cursorStorage';
import {
	checkDatabase,
	createPollStorage,
	getPollDeadline,
	throwNothingFound,
} from '../core/trigger/poll';
import { isRecord } from '../core/values/parse';
import { createBranchView, readBlockRef } from './branch';
import { readHeads, type Heads } from './heads';
import { createStorage } from './storage';
import type { StarkTriggerEvent, StarkWatch } from './starkEvent';

/** What a poll looks for. */
export interface PollSearch {
	readonly node: StarkNode;
	readonly watch: StarkWatch;
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	readonly sample: StarkTriggerEvent['sample'];
	readonly until: 'acceptedOnL1' | 'acceptedOnL2';
}

type Item = Readonly<Record<string, unknown>>;

/** Reads the items that are new on the chain. */
export async function readNews(
	context: IPollFunctions,
	search: PollSearch,
): Promise<readonly Item[]> {
	const deadline = getPollDeadline(context);
	return context.getMode() === 'manual'
		? [await readSample(search, deadline)]
		: await readOnFromCursor(context, search, deadline);
}

/** Goes on from where the last poll stopped. The saved cursor moves only together with what is emitted. */
async function readOnFromCursor(
	context: IPollFunctions,
	{ node, watch, watched, until }: PollSearch,
	deadline: number,
): Promise<readonly Item[]> {
	const { saved, replace } = createPollStorage(createStorage(context));
	const [heads, chain] = await Promise.all([
		readHeads(node, until, saved?.cursor.next),
		readChainIdentity(node),
	]);
	const isSame = saved && belongsToChain(saved, chain, heads.latest);
	if (!isSame || saved.watched !== watched) {
		const begun = { chain, watched, cursor: createCursorAfter(heads.last), orphaned: [] };
		if (replace(begun) && saved && !isSame) warnOfAnotherChain(context, begun);
		return [];
	}
	if (hasBlock(saved.cursor, heads.last)) return [];
	const { cursor, emissions, failure } = await catchUp(
		saved.cursor,
		{ node, watch },
		heads,
		deadline,
	);
	const { items, orphaned } = dropRepeated(emissions, saved.orphaned);
	if (items.length > 0) await checkDatabase(context);
	const identity = mergeChainIdentity(saved.chain, chain);
	const isOurs = replace({ chain: identity, watched, cursor, orphaned });
	if (items.length > 0) return isOurs ? items : [];
	throwIfLate(failure, heads.last);
	throwIfBehind(cursor, heads.latest);
	return [];
}

/** Two chains of one ID differ in their first block after the genesis. */
async function readChainIdentity(node: StarkNode): Promise<ChainIdentity> {
	const [id, first] = await Promise.all([
		readChainId(node),
		readBlockRef(node, { block_number: 1 }),
	]);
	return { id: formatFelt(id), first: first?.hash ?? null };
}

interface CaughtUp {
	readonly cursor: Cursor;
	readonly emissions: readonly Emission[];
	/** The failure that ended the reading before the last block. */
	readonly failure?: unknown;
}

/** How many blocks are read at a time. */
const BLOCKS_PER_RANGE = 200;
/** How many items of a poll may lie in memory. */
const MAX_ITEMS_PER_POLL = 20_000;

/** Reads up to the last block as long as there is time. When a range fails, what the ones before it gave is kept. */
async function catchUp(
	cursor: Cursor,
	{ node, watch }: Pick<PollSearch, 'node' | 'watch'>,
	{ last, latest }: Heads,
	deadline: number,
): Promise<CaughtUp> {
	const emissions: Emission[] = [];
	let reached = cursor;
	const reach = {
		head: { number: latest.number, time: NaN },
		last: () => last.number,
		span: new BlockSpan(undefined, BLOCKS_PER_RANGE),
	};
	try {
		for await (const step of readForward(cursor, createBranchView(node, watch), reach)) {
			reached = step.cursor;
			for (const emission of step.emissions) emissions.push(emission);
			if (Date.now() >= deadline || emissions.length >= MAX_ITEMS_PER_POLL) break;
		}
	} catch (failure) {
		return { cursor: reached, emissions, failure };
	}
	return { cursor: reached, emissions };
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

/** A node may be so far behind before a poll fails. */
const TOLERATED_LAG_BLOCKS = 20;
const NOTHING_LOST = 'Nothing is lost: the trigger goes on from the same block.';

/** The next poll will find what the node does not have yet; when it is late, it is time to say so. */
function throwIfLate(failure: unknown, { number }: BlockRef): void {
	if (failure === undefined) return;
	const isYoung = failure instanceof NodeLagging && failure.block > number - TOLERATED_LAG_BLOCKS;
	if (!isYoung) throw failure;
}

/** A node that has fallen far behind what was read before gives nothing new for long. */
function throwIfBehind({ next }: Cursor, { number }: BlockRef): void {
	const missing = next - 1 - number;
	if (missing <= TOLERATED_LAG_BLOCKS) return;
	throw new RequestFailure(`The node is ${missing} blocks behind what was read before`, {
		description: `Its last block is ${number}. ${NOTHING_LOST}`,
	});
}

/** A sample is searched in ever wider ranges. */
const FIRST_SAMPLE_BLOCKS = 10;

/** Reads the latest event, as a sample for the person who builds the workflow. */
async function readSample(
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
	return throwNothingFound(sample);
}
