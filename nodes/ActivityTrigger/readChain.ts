import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { InvalidInput } from '../../credentials/invalidInput';
import {
	blockRanges,
	BLOCKS_AT_ONCE,
	chainIdOf,
	headerAt,
	headOf,
	LONGEST_LAG,
	NodeLagging,
	nullIfRefused,
	type Head,
} from '../core/chain/blocks';
import type { ChainObject } from '../core/chain/objects';
import { activationError } from '../core/errors/nodeError';
import { withAdvice } from '../core/errors/requestFailure';
import { itemOf, readOn, type ChainView } from '../core/follow/advance';
import { kept, logProofs, restore } from '../core/follow/logProofs';
import { LogsLate, LogsMissing } from '../core/follow/provenLogs';
import {
	forStorage,
	isKnown,
	isOnChain,
	nowKnown,
	savedStateIn,
	startAt,
	type Advance,
	type ChainEvent,
	type Cursor,
	type Emission,
	type SavedState,
} from '../core/follow/position';
import { BlockSpan } from '../core/chain/rangeLimits';
import { nodeCredential } from '../core/nodeCredentials';
import type { Chosen } from './options';
import type { ChainReader } from '../core/rpc/chain';
import type { AnyPollEvent } from './pollEvent';

const USUAL_BUDGET = 60_000;
/** The rest is for the range that is under way when this much of the time is up. */
const SPENT_ON_READING = 0.8;
/** A node may be behind its own head by so much without a word. */
const USUAL_LAG = { blocks: 4, seconds: 4 };

/** What a poll looks for. */
export interface Search {
	readonly chain: ChainReader;
	readonly view: ChainView;
	/** Blocks whose logs may be missing for good, as the view finds them. */
	readonly doubts: ReadonlySet<number>;
	/** A fingerprint of what the user chose. */
	readonly watched: string;
	/** How many blocks are searched for a sample. */
	readonly samples: number;
	readonly sought: AnyPollEvent['sought'];
	readonly options: Chosen;
}

/** Reads the chain once: the items that are new. */
export async function readChain(
	context: IPollFunctions,
	search: Search,
): Promise<readonly ChainObject[]> {
	const deadline = Date.now() + budgetOf(context) * SPENT_ON_READING;
	return context.getMode() === 'manual'
		? [await sample(search, deadline)]
		: await goOn(context, search, deadline);
}

async function sample(search: Search, deadline: number) {
	const { number } = await headOf(search.chain);
	const found = await latest(number - search.options.confirmations, search, deadline);
	return itemOf({ json: found.json, block: found.block.hash, change: 'new' }, search.view);
}

/** Goes on from where the last poll stopped. The position moves only together with what is emitted. */
async function goOn(
	context: IPollFunctions,
	search: Search,
	deadline: number,
): Promise<readonly ChainObject[]> {
	const { chain: node, view, watched, options } = search;
	const { saved, replace } = storageOf(context);
	const [head, chain] = await Promise.all([headOf(node), chainIdOf(node)]);
	const last = head.number - options.confirmations;
	if (last < 0) return [];
	const end = options.confirmations === 0 ? head : await headerAt(node, last);
	const isSame = saved && isOnChain(saved, chain, head);
	if (!isSame || saved.watched !== watched) {
		const isBegun = end && replace({ chain, watched, cursor: startAt(end) });
		if (isBegun && saved && !isSame) warnOfAnotherChain(context, last);
		return [];
	}
	if (end && isKnown(saved.cursor, end)) return [];
	const proofs = node.memory(logProofs);
	restore(proofs, saved.cursor.proofs);
	const limits = { head, last, most: options.maxBlocksPerPoll, deadline };
	const { cursor, emissions, failure } = await catchUp(saved.cursor, view, limits);
	if (emissions.length > 0) await assertDatabase(context);
	const next = { ...cursor, ...kept(proofs) };
	const isOurs = replace({ chain: nowKnown(saved.chain, chain), watched, cursor: next });
	if (isOurs) reportDoubts(context, search, cursor.next);
	if (emissions.length === 0 && failure) return await pardon(failure, head, node);
	return isOurs ? emissions.map((one) => itemOf(one, view)) : [];
}

/** n8n does not say whether it can store an execution. That it finds the credential is the best sign of it. */
async function assertDatabase(context: IPollFunctions): Promise<void> {
	await context.getCredentials(nodeCredential(context));
}

/** The next poll will find what the node does not have yet; when it is late, it is time to say so. */
async function pardon(
	failure: unknown,
	head: Head,
	node: ChainReader,
): Promise<readonly ChainObject[]> {
	if (!(failure instanceof NodeLagging)) throw failure;
	if (failure instanceof LogsLate || failure.block > head.number - USUAL_LAG.blocks) return [];
	const block = await headerAt(node, failure.block).catch(nullIfRefused);
	if (block && block.time >= head.time - USUAL_LAG.seconds) return [];
	const wanted = Math.max(LONGEST_LAG.blocks, head.number - failure.block + 1);
	throw withAdvice(
		failure,
		`Its head is block ${head.number}. If it is always this far behind, set the option 'Confirmations' to ${wanted}.`,
	);
}

/** A poll either gives items or fails: what may be missing is reported beside it, once it was passed over. */
function reportDoubts(context: IPollFunctions, { doubts }: Search, next: number): void {
	const blocks = [...doubts].filter((one) => one < next);
	if (blocks.length === 0) return;
	context.__emitError(activationError(context.getNode(), new LogsMissing(blocks)));
}

function warnOfAnotherChain(context: IPollFunctions, block: number): void {
	context.logger.warn(
		`'${context.getNode().name}' finds a different chain than before, or one that was reset: it continues from block ${block}`,
	);
}

/** Older versions of n8n set no limit. */
function budgetOf(context: IPollFunctions): number {
	return context.getPollBudgetMs?.() ?? USUAL_BUDGET;
}

interface Limits {
	/** The chain's latest block. */
	readonly head: Head;
	/** The last block that may be read. */
	readonly last: number;
	/** How many blocks to read, not counting those before the first find. */
	readonly most: number;
	readonly deadline: number;
}

interface CaughtUp extends Advance {
	/** Why it ended before it should. */
	readonly failure?: unknown;
}

/**
 * Reads up to the last block as long as there is time. Quiet ranges do not count: n8n stores the position only with an
 * execution, so that a long one may have to be read again after a restart. When a range fails, what the ones before it
 * gave is kept, and the next poll meets the failure again.
 */
export async function catchUp(
	cursor: Cursor,
	view: ChainView,
	{ head, last, most, deadline }: Limits,
): Promise<CaughtUp> {
	const emissions: Emission[] = [];
	let reached = cursor;
	let end = last;
	const endNow = () => {
		if (emissions.length === 0) end = Math.min(last, reached.next - 1 + most);
		return end;
	};
	try {
		const reach = { head, last: endNow, span: new BlockSpan(undefined, BLOCKS_AT_ONCE) };
		for await (const step of readOn(cursor, view, reach)) {
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
export function storageOf(context: IPollFunctions) {
	const data = context.getWorkflowStaticData('node');
	const before = JSON.stringify(data);
	return {
		saved: savedStateIn(data.saved),
		/** False, and nothing is changed, if another poll has come first. */
		replace: (next: SavedState): boolean => {
			if (JSON.stringify(data) !== before) return false;
			data.saved = forStorage(next) as unknown as IDataObject;
			return true;
		},
	};
}

/** All blocks count as settled: a sample proves nothing. */
const SETTLED: Head = { number: Infinity, time: Infinity };

/** The latest that happened, as a sample for whoever builds the workflow. */
async function latest(
	head: number,
	{ samples, sought, options, view }: Search,
	deadline: number,
): Promise<ChainEvent> {
	if (head < 0) {
		throw new InvalidInput(
			'No block of the chain is old enough yet',
			`The option 'Confirmations' asks for ${options.confirmations} blocks that follow it.`,
		);
	}
	const count = Math.min(samples, head + 1);
	let searched = 0;
	for (const { from, to } of blockRanges(0, count - 1)) {
		const found = (await view.events({ from: head - to, to: head - from }, SETTLED)).at(-1);
		if (found) return found;
		searched = to + 1;
		if (Date.now() > deadline) break;
	}
	throw new InvalidInput(
		`${sought.none} ${searched} blocks`,
		`Check ${sought.check}, or raise the option 'Max Blocks Per Poll' to search further back. Once the workflow is published, it starts for everything that happens from then on.`,
	);
}
