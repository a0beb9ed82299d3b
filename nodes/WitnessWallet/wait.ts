import { RequestFailure, withAdvice } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import type { RunContext } from '../core/operation/operation';
import { waitFor } from '../core/operation/sharedFields';
import { rest, type RestRequest } from '../core/protocols/rest';
import { rethrow } from '../core/values/parse';
import { waitUntil } from '../core/chain/waiting';
import { isNotServed } from '../core/witness/answers';
import { MIN_BLOCKS_ON_TOP, readHeadNumber } from '../core/witness/blocks';
import { options, transactionId } from './fields';
import { parseOutcome, type Outcome } from './outcome';

const waitForIrreversible = {
	...waitFor,
	default: 120,
	description:
		'How many seconds to wait at most. After that, the item fails. It takes about a minute until a block is irreversible.',
} as const satisfies Field;

/** What is known of the transaction. */
interface Finality {
	readonly outcome?: Outcome;
	readonly isIrreversible: boolean;
}

const NOT_IN_BLOCK: Finality = { isIrreversible: false };

export const wait = rest({
	name: 'Wait',
	action: 'Wait for a transaction to be final',
	description:
		'Wait until the block of a transaction is irreversible, then get what became of it, failed or not',
	waits: true,
	fields: [transactionId, waitForIrreversible, options],
	async *run(p, context) {
		const { outcome } = await waitUntil(context, {
			seconds: p.waitFor,
			initial: NOT_IN_BLOCK,
			read: async () => await readFinality(p.transactionId, context),
			isDone: (known): known is Finality => known.isIrreversible,
			throwTimeout: async (_known, failure) =>
				await throwNotFinal(p.transactionId, p.waitFor, context, failure),
		});
		yield outcome;
	},
});

type WaitContext = RunContext<RestRequest>;

/** Whether the node has the view of what is irreversible. */
const createSolidifiedView = () => ({ isServed: true });

async function readFinality(id: string, context: WaitContext): Promise<Finality> {
	const view = context.shared(createSolidifiedView);
	if (view.isServed) {
		const outcome = await readOutcome('/walletsolidity', id, context).catch(async (failure) => {
			if (!isNotServed(failure)) return rethrow(failure);
			view.isServed = false;
			return undefined;
		});
		if (view.isServed) return { outcome, isIrreversible: outcome !== undefined };
	}
	const [outcome, head] = await Promise.all([
		readOutcomeInBlock(id, context),
		readHeadNumber(context),
	]);
	const block = outcome?.blockNumber ?? Infinity;
	return { outcome, isIrreversible: head - block >= MIN_BLOCKS_ON_TOP };
}

async function readOutcomeInBlock(id: string, context: WaitContext): Promise<Outcome | undefined> {
	return await readOutcome('/wallet', id, context);
}

async function readOutcome(view: string, id: string, { call }: WaitContext) {
	const body = { value: id };
	return parseOutcome(await call({ path: `${view}/gettransactioninfobyid`, body }), id);
}

/** The time is over: says how far it came. */
async function throwNotFinal(
	id: string,
	seconds: number,
	context: WaitContext,
	failure?: RequestFailure,
): Promise<never> {
	const time = `after ${seconds} s`;
	const notYet = `The transaction was not irreversible ${time}.`;
	if (failure) throw withAdvice(failure, notYet);
	// Without an answer nobody knows where it is, and whoever builds it again may pay twice.
	const outcome = await readOutcomeInBlock(id, context).catch(async (problem) =>
		rethrow(problem instanceof RequestFailure ? withAdvice(problem, notYet) : problem),
	);
	if (!outcome) {
		throw new RequestFailure(`The transaction is not in a block ${time}`, {
			description:
				'It was not broadcast to this chain, it has expired, or it waits for a block. Until its expiration, a minute after it was built as a rule, broadcast the same one again; only then build another one.',
		});
	}
	const failed = outcome.status === 'failed' ? ` It failed: ${outcome.reason}.` : '';
	throw new RequestFailure(`The transaction is in a block, but not irreversible ${time}`, {
		description: `It is in block ${outcome.blockNumber}.${failed} 'Wait For' sets how long to wait.`,
	});
}
