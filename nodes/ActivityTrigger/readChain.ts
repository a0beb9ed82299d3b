import type { IPollFunctions } from 'n8n-workflow';
import { withAdvice } from '../core/errors/requestFailure';
import { Behind, LONGEST_LAG } from '../core/evm/behind';
import type { ChainObject } from '../core/evm/objects/chainObject';
import type { ChainView } from '../core/evm/follow/advance';
import { isKnown, startAt } from '../core/evm/follow/cursor';
import { itemOf } from '../core/evm/follow/advance';
import { isOnChain, nowKnown } from '../core/evm/follow/savedState';
import { chainIdOf, headerAt, headOf, type Ask } from '../core/evm/header';
import { nodeCredential } from '../core/protocols/nodeClient';
import { catchUp } from './catchUp';
import type { Chosen } from './options';
import { latest } from './sample';
import { storageOf } from './storage';

const USUAL_BUDGET = 60_000;
/** The rest is for the range that is under way when this much of the time is up. */
const SPENT_ON_READING = 0.8;
/** A node may be behind its own head by so many blocks without a word. */
const USUAL_LAG = 4;

/** What a poll looks for. */
export interface Search {
	readonly ask: Ask;
	readonly view: ChainView;
	/** A mark of what the user chose. */
	readonly watched: string;
	/** How many blocks are searched for a sample. */
	readonly samples: number;
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

async function sample({ ask, view, samples, options }: Search, deadline: number) {
	const { number } = await headOf(ask);
	const found = await latest(number - options.confirmations, samples, options, view, deadline);
	return itemOf({ json: found.json, block: found.block.hash, fate: 'new' }, view);
}

/** Goes on from where the last poll stopped. The position moves only together with what is emitted. */
async function goOn(
	context: IPollFunctions,
	{ ask, view, watched, options }: Search,
	deadline: number,
): Promise<readonly ChainObject[]> {
	const { saved, replace } = storageOf(context);
	const [head, chain] = await Promise.all([headOf(ask), chainIdOf(ask)]);
	const last = head.number - options.confirmations;
	if (last < 0) return [];
	const end = options.confirmations === 0 ? head : await headerAt(ask, last);
	const isSame = saved && isOnChain(saved, chain, head);
	if (!isSame || saved.watched !== watched) {
		const isBegun = end && replace({ chain, watched, cursor: startAt(end) });
		if (isBegun && saved && !isSame) warnOfAnotherChain(context, last);
		return [];
	}
	if (end && isKnown(saved.cursor, end)) return [];
	const limits = { head: head.number, last, most: options.maxBlocksPerPoll, deadline };
	const { cursor, emissions, failure } = await catchUp(saved.cursor, view, limits);
	if (emissions.length > 0) await assertDatabase(context);
	const isOurs = replace({ chain: nowKnown(saved.chain, chain), watched, cursor });
	if (emissions.length === 0 && failure) return pardon(failure, head.number);
	return isOurs ? emissions.map((one) => itemOf(one, view)) : [];
}

/** n8n does not say whether it can store an execution. That it finds the credential is the best sign of it. */
async function assertDatabase(context: IPollFunctions): Promise<void> {
	await context.getCredentials(nodeCredential(context));
}

/** The next poll will find what the node does not have yet; when it is late, it is time to say so. */
function pardon(failure: unknown, head: number): readonly ChainObject[] {
	if (!(failure instanceof Behind)) throw failure;
	if (failure.block > head - USUAL_LAG) return [];
	throw withAdvice(
		failure,
		`Its head is block ${head}. If it is always this far behind, set the option 'Confirmations' to ${LONGEST_LAG}.`,
	);
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
