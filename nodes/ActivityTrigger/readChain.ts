import type { IPollFunctions } from 'n8n-workflow';
import type { ChainObject } from '../core/evm/chainObject';
import { isOnChain, nowKnown, watchedBy } from '../core/evm/follow/savedState';
import { startAt } from '../core/evm/follow/cursor';
import { chainIdOf, headerAt, headOf, type Ask } from '../core/evm/header';
import { catchUp } from './catchUp';
import type { Wanted } from './fields';
import { latest } from './manual';
import { memoryOf } from './memory';
import type { AskAt, Watch } from './watch';
import { watchFor } from './watchFor';

const USUAL_BUDGET = 60_000;
/** The rest is for the stretch that is under way when this much of the time is up. */
const SPENT_ON_READING = 0.8;

/** Looks at the chain once: what n8n is told of it. */
export async function readChain(
	context: IPollFunctions,
	wanted: Wanted,
	askAt: AskAt,
): Promise<readonly ChainObject[]> {
	const ask = askAt(wanted.blockPath);
	const watch = watchFor(wanted, askAt);
	const deadline = Date.now() + budgetOf(context) * SPENT_ON_READING;
	return context.getMode() === 'manual'
		? [await sample(wanted, ask, watch, deadline)]
		: await goOn(context, wanted, ask, watch, deadline);
}

async function sample(
	wanted: Wanted,
	ask: Ask,
	watch: Watch,
	deadline: number,
): Promise<ChainObject> {
	const { number } = await headOf(ask);
	const { json } = await latest(number - wanted.confirmations, wanted, watch, deadline);
	return watch.item({ json, fate: 'new' });
}

/** Goes on from where the last poll stopped. The place moves only together with what is told. */
async function goOn(
	context: IPollFunctions,
	wanted: Wanted,
	ask: Ask,
	watch: Watch,
	deadline: number,
): Promise<readonly ChainObject[]> {
	const { saved, replace } = memoryOf(context);
	const [head, chain] = await Promise.all([headOf(ask), chainIdOf(ask)]);
	const confirmed = head.number - wanted.confirmations;
	if (confirmed < 0) return [];
	const watched = watchedBy(wanted.event, wanted.direction ?? '', wanted.addresses ?? []);
	const isSame = saved && isOnChain(saved, chain, head);
	if (isSame && saved.watched === watched) {
		const limits = { last: confirmed, most: wanted.maxBlocksPerPoll, deadline };
		const { cursor, emissions } = await catchUp(saved.cursor, watch, limits);
		const next = { chain: nowKnown(saved.chain, chain), watched, cursor };
		return replace(next) ? emissions.map((one) => watch.item(one)) : [];
	}
	const start = wanted.confirmations === 0 ? head : await headerAt(ask, confirmed);
	if (start && replace({ chain, watched, cursor: startAt(start) }) && saved && !isSame) {
		context.logger.warn(
			`'${context.getNode().name}' meets another chain than before, or one that was begun anew: it goes on from block ${start.number}`,
		);
	}
	return [];
}

/** Older versions of n8n set no limit. */
function budgetOf(context: IPollFunctions): number {
	return context.getPollBudgetMs?.() ?? USUAL_BUDGET;
}
