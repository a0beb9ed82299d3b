import type { IPollFunctions } from 'n8n-workflow';
import { InvalidInput } from '../core/errors/invalidInput';
import { NodeLagging } from '../core/errors/nodeLagging';
import {
	splitRange,
	BLOCKS_PER_REQUEST,
	readChainIdentity,
	readHeader,
	readHead,
	MAX_INDEX_LAG,
	nullIfRefused,
	type Head,
} from '../core/evm/blocks';
import type { ChainObject } from '../core/evm/objects';
import { activationError } from '../core/errors/nodeError';
import { withAdvice } from '../core/errors/requestFailure';
import { formatEmission, readForward, type ChainView } from '../core/follow/advance';
import { getStoredProofs, createProofState, restoreProofs } from '../core/follow/logProofs';
import { LogsLate, LogsMissing } from '../core/follow/provenLogs';
import {
	hasBlock,
	belongsToChain,
	mergeChainIdentity,
	createCursorAfter,
	type CursorAdvance,
	type ChainEvent,
	type Cursor,
	type Emission,
	type SavedCursor,
} from '../core/follow/cursor';
import { BlockSpan } from '../core/evm/rangeSize';
import { getNodeCredentialType } from '../core/nodeCredentials';
import type { PollOptions } from './options';
import type { ChainReader } from '../core/transport/rpc/chain';
import { createCursorStorage, warnOfAnotherChain } from '../core/trigger/cursorStorage';
import type { Sample } from './pollEvent';

const DEFAULT_BUDGET_MS = 60_000;
/** The rest of the time is for the range that is under way then. */
const READING_SHARE = 0.8;
/** A node may be behind its own head by so much without a word. */
const TOLERATED_LAG = { blocks: 4, seconds: 4 };

/** What a poll looks for. */
export interface PollSearch {
	readonly chain: ChainReader;
	readonly view: ChainView;
	/** Blocks whose logs may be missing for good, as the view finds them. */
	readonly doubtedBlocks: ReadonlySet<number>;
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	readonly sample: Sample;
	readonly options: PollOptions;
}

/** Reads the chain once: the items that are new. */
export async function readNews(
	context: IPollFunctions,
	search: PollSearch,
): Promise<readonly ChainObject[]> {
	const deadline = Date.now() + getBudget(context) * READING_SHARE;
	return context.getMode() === 'manual'
		? [await readSample(search, deadline)]
		: await readOnFromCursor(context, search, deadline);
}

async function readSample(search: PollSearch, deadline: number) {
	const { number } = await readHead(search.chain);
	const found = await readLatestEvent(number - search.options.confirmations, search, deadline);
	return formatEmission({ json: found.json, block: found.block.hash, change: 'new' }, search.view);
}

/** Goes on from where the last poll stopped. The saved cursor moves only together with what is emitted. */
async function readOnFromCursor(
	context: IPollFunctions,
	search: PollSearch,
	deadline: number,
): Promise<readonly ChainObject[]> {
	const { chain: node, view, watched, options } = search;
	const { saved, replace } = createPollStorage(context);
	const [head, chain] = await Promise.all([readHead(node), readChainIdentity(node)]);
	const last = head.number - options.confirmations;
	if (last < 0) return [];
	const end = options.confirmations === 0 ? head : await readHeader(node, last);
	const isSame = saved && belongsToChain(saved, chain, head);
	if (!isSame || saved.watched !== watched) {
		const begun = end && { chain, watched, cursor: createCursorAfter(end) };
		if (begun && replace(begun) && saved && !isSame) warnOfAnotherChain(context, begun);
		return [];
	}
	if (end && hasBlock(saved.cursor, end)) return [];
	const proofs = node.shared(createProofState);
	restoreProofs(proofs, saved.cursor.proofs);
	const limits = { head, last, maxBlocks: options.maxBlocksPerPoll, deadline };
	const { cursor, emissions, failure } = await catchUp(saved.cursor, view, limits);
	if (emissions.length > 0) await checkDatabase(context);
	const next = { ...cursor, ...getStoredProofs(proofs) };
	const isOurs = replace({ chain: mergeChainIdentity(saved.chain, chain), watched, cursor: next });
	if (isOurs) reportDoubtedBlocks(context, search, cursor.next);
	if (emissions.length === 0 && failure) return await throwIfLate(failure, head, node);
	return isOurs ? emissions.map((one) => formatEmission(one, view)) : [];
}

/** n8n does not say whether it can store an execution. That it finds the credential is the best sign of it. */
async function checkDatabase(context: IPollFunctions): Promise<void> {
	await context.getCredentials(getNodeCredentialType(context));
}

/** The next poll will find what the node does not have yet; when it is late, it is time to say so. */
async function throwIfLate(
	failure: unknown,
	head: Head,
	node: ChainReader,
): Promise<readonly ChainObject[]> {
	if (!(failure instanceof NodeLagging)) throw failure;
	if (failure instanceof LogsLate || failure.block > head.number - TOLERATED_LAG.blocks) return [];
	const block = await readHeader(node, failure.block).catch(nullIfRefused);
	if (block && block.time >= head.time - TOLERATED_LAG.seconds) return [];
	const confirmations = Math.max(MAX_INDEX_LAG.blocks, head.number - failure.block + 1);
	throw withAdvice(
		failure,
		`Its head is block ${head.number}. If it is always this far behind, set the option 'Confirmations' to ${confirmations}.`,
	);
}

/** A poll either gives items or fails: what may be missing is reported beside it, once it was passed over. */
function reportDoubtedBlocks(
	context: IPollFunctions,
	{ doubtedBlocks }: PollSearch,
	next: number,
): void {
	const blocks = [...doubtedBlocks].filter((one) => one < next);
	if (blocks.length === 0) return;
	context.__emitError(activationError(context.getNode(), new LogsMissing(blocks)));
}

/** Older versions of n8n set no limit. */
function getBudget(context: IPollFunctions): number {
	return context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;
}

interface CatchUpLimits {
	/** The chain's latest block. */
	readonly head: Head;
	/** The last block that may be read. */
	readonly last: number;
	/** How many blocks to read, not counting those before the first find. */
	readonly maxBlocks: number;
	readonly deadline: number;
}

interface CatchUpResult extends CursorAdvance {
	/** Why it ended before it should. */
	readonly failure?: unknown;
}

/**
 * Reads up to the last block as long as there is time. Quiet ranges do not count: n8n stores the cursor only with an
 * execution, so that a long one may have to be read again after a restart. When a range fails, what the ones before it
 * gave is kept, and the next poll meets the failure again.
 */
export async function catchUp(
	cursor: Cursor,
	view: ChainView,
	{ head, last, maxBlocks, deadline }: CatchUpLimits,
): Promise<CatchUpResult> {
	const emissions: Emission[] = [];
	let reached = cursor;
	let end = last;
	const getEnd = () => {
		if (emissions.length === 0) end = Math.min(last, reached.next - 1 + maxBlocks);
		return end;
	};
	try {
		const reach = { head, last: getEnd, span: new BlockSpan(undefined, BLOCKS_PER_REQUEST) };
		for await (const step of readForward(cursor, view, reach)) {
			reached = step.cursor;
			for (const emission of step.emissions) emissions.push(emission);
			if (Date.now() >= deadline) break;
		}
	} catch (failure) {
		return { cursor: reached, emissions, failure };
	}
	return { cursor: reached, emissions };
}

/**
 * What n8n stores for the node from poll to poll. A poll may begin while the last one is still going: the first
 * to end replaces what it began from, and the other one gives up.
 */
function createPollStorage(context: IPollFunctions) {
	const { data, load, save } = createCursorStorage(context);
	const before = JSON.stringify(data);
	return {
		saved: load(),
		/** False, and nothing is changed, if another poll has come first. */
		replace: (next: SavedCursor): boolean => {
			if (JSON.stringify(data) !== before) return false;
			save(next);
			return true;
		},
	};
}

/** All blocks count as settled: a sample proves nothing. */
const SETTLED_HEAD: Head = { number: Infinity, time: Infinity };

/** Reads the latest event, as a sample for the person who builds the workflow. */
async function readLatestEvent(
	head: number,
	{ sample, options, view }: PollSearch,
	deadline: number,
): Promise<ChainEvent> {
	if (head < 0) {
		throw new InvalidInput(
			'No block of the chain is old enough yet',
			`The option 'Confirmations' asks for ${options.confirmations} blocks that follow it.`,
		);
	}
	const count = Math.min(sample.maxBlocks ?? options.maxBlocksPerPoll, head + 1);
	let searched = 0;
	for (const { from, to } of splitRange(0, count - 1)) {
		const found = (await view.readEvents({ from: head - to, to: head - from }, SETTLED_HEAD)).at(
			-1,
		);
		if (found) return found;
		searched = to + 1;
		if (Date.now() > deadline) break;
	}
	throw new InvalidInput(
		`${sample.none} ${searched} blocks`,
		`Check ${sample.check}, or raise the option 'Max Blocks Per Poll' to search further back. Once the workflow is published, it starts for everything that happens from then on.`,
	);
}
