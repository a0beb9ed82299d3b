import type { IPollFunctions } from 'n8n-workflow';
import { hexString, type ChainObject } from '../core/chain/evm';
import { isOnChain } from '../core/chain/kept';
import { startAt } from '../core/chain/position';
import { headerAt, headOf, type Ask } from '../core/chain/view';
import { catchUp } from './catchUp';
import type { Wanted } from './fields';
import { latest } from './manual';
import { memoryOf } from './memory';
import { watchFor, type AskAt, type Watch } from './watch';

const USUAL_BUDGET = 60_000;
/** The rest is for the stretch that is under way when this much of the time is up. */
const SPENT_ON_READING = 0.8;

/** Looks at the chain once: what n8n is told of it. */
export async function look(
	context: IPollFunctions,
	wanted: Wanted,
	askAt: AskAt,
): Promise<readonly ChainObject[]> {
	const ask = askAt(wanted.blockPath);
	const watch = watchFor(wanted, askAt);
	return context.getMode() === 'manual'
		? [await sample(wanted, ask, watch)]
		: await goOn(context, wanted, ask, watch);
}

async function sample(wanted: Wanted, ask: Ask, watch: Watch): Promise<ChainObject> {
	const { number } = await headOf(ask);
	const { json } = await latest(number - wanted.confirmations, wanted, watch);
	return watch.item({ json, fate: 'new' });
}

/** Goes on from where the last poll stopped. The place moves only together with what is told. */
async function goOn(
	context: IPollFunctions,
	{ confirmations, maxBlocksPerPoll }: Wanted,
	ask: Ask,
	watch: Watch,
): Promise<readonly ChainObject[]> {
	const deadline = Date.now() + budgetOf(context) * SPENT_ON_READING;
	const { kept, replace } = memoryOf(context);
	const [chain, head] = await Promise.all([chainId(ask), headOf(ask)]);
	const confirmed = head.number - confirmations;
	if (confirmed < 0) return [];
	if (kept && isOnChain(kept, chain, head)) {
		const last = Math.min(confirmed, kept.position.next - 1 + maxBlocksPerPoll);
		const { position, news } = await catchUp(kept.position, last, watch, deadline);
		return replace({ chain, position }) ? news.map((one) => watch.item(one)) : [];
	}
	const start = confirmations === 0 ? head : await headerAt(ask, confirmed);
	if (start && replace({ chain, position: startAt(start) }) && kept) {
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

async function chainId(ask: Ask): Promise<string> {
	return hexString('a chain ID')(await ask('eth_chainId', []));
}
