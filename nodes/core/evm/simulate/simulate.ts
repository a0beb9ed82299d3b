import { NO_FACTS } from '../../chain/tokens';
import { nullIfRefused } from '../../chain/blocks';
import type { RpcReader } from '../../chain/reader';
import { isRefusal, RequestFailure } from '../../errors/requestFailure';
import { mapWithPauses } from '../../net/pacing/slices';
import { rethrow } from '../../values/parse';
import { quantityToDecimal } from '../chainObjects';
import { readCoinBalance, readTokenFacts } from '../tokens';
import { computeApprovals, formatApproval, type ApprovalAfterwards } from './approvals';
import type { Approval } from './assets';
import {
	computeChanges,
	formatChange,
	sumMoves,
	type Change,
	type FactsOf,
	type Sum,
} from './changes';
import { askAround, askCoins, computeFee, planCheck, sumCoins, type CheckPlan } from './check';
import { formatEvents, readEffects, type SimulatedEffects, type SimulatedEvent } from './effects';
import {
	isUnknownMethod,
	toRefusedOutcome,
	withSimulationMethod,
	type SimulationMethod,
} from './methods';
import { buildFailedOutcome, type CoinMove, type Outcome, type SimulatedLog } from './outcome';
import { askBalance, findNumbers, getQuestionKey, type Answers } from './reads';
import { callSimulateV1 } from './simulateV1';
import { readTerms, type SimulationTerms } from './terms';
import { callTraceCall } from './traceCall';
import type { SimulatedTransaction } from './transaction';

/** The outcome of a transaction if it were carried out now, as a node simulates it. */
export interface Simulation {
	readonly success: boolean;
	/** Null on success. */
	readonly revertReason: string | null;
	/** The gas used; null if the chain would not accept the transaction. */
	readonly gasUsed: number | string | null;
	readonly changes: readonly Change[];
	readonly approvals: readonly ApprovalAfterwards[];
	readonly events: readonly SimulatedEvent[];
	readonly by: SimulationMethod;
}

/** Simulates a transaction with the first method that the node has. */
export async function simulateTransaction(
	reader: RpcReader,
	transaction: SimulatedTransaction,
	block: string,
): Promise<Simulation> {
	const terms = await readTerms(reader, transaction, block);
	const isDeployment = transaction.to === undefined;
	const methods = {
		eth_simulateV1: async () => await simulateOnce(reader, terms),
		debug_traceCall: async () =>
			await callTraceCall(reader, transaction, terms.block).catch(toRefusedIfKnown),
	};
	const [{ by, result: outcome }] = await Promise.all([
		withSimulationMethod(reader, methods, (failure) =>
			isDeployment ? isRefusal(failure) : isUnknownMethod(failure),
		),
		checkChain(reader, transaction),
	]);
	if (!outcome.success) return await formatSimulation(by, outcome, noFacts, NO_EFFECTS);
	checkCount(outcome);
	return by === 'eth_simulateV1'
		? await formatChecked(reader, terms, outcome)
		: await formatUnchecked(reader, terms, outcome);
}

async function simulateOnce(reader: RpcReader, terms: SimulationTerms): Promise<Outcome> {
	const simulating = callSimulateV1(reader, terms, { traceTransfers: true, reads: [] });
	return await simulating.then(({ outcome }) => outcome).catch(toRefusedIfKnown);
}

function toRefusedIfKnown(failure: unknown): Outcome {
	return isUnknownMethod(failure) ? rethrow(failure) : toRefusedOutcome(failure);
}

/** Limits the events and coin transfers that are read. Ordinary transactions have fewer, and more could block n8n. */
const MAX_EFFECTS = 5_000;

function checkCount({ logs, coins }: Outcome): void {
	const count = logs.length + coins.length;
	if (count <= MAX_EFFECTS) return;
	throw new RequestFailure(
		`The transaction has ${count} events and transfers of coins, but at most ${MAX_EFFECTS} are read`,
		{
			description:
				'Nobody could review so many. Do not sign a transaction that cannot be previewed.',
		},
	);
}

/** Throws if the transaction is for another chain, where it would act differently. */
async function checkChain(reader: RpcReader, { chainId }: SimulatedTransaction): Promise<void> {
	if (chainId === undefined) return;
	const id = quantityToDecimal(await reader.call('eth_chainId', []).catch(nullIfRefused));
	if (id === null || BigInt(id) === chainId) return;
	throw new RequestFailure(
		`The transaction is for chain ${chainId}, but the chain node belongs to chain ${id}`,
		{
			description:
				'Nothing was simulated. Check the credential, and on which chain the transaction was prepared.',
		},
	);
}

/** Formats a simulation by events and calls alone, because the node cannot read balances after the transaction. */
async function formatUnchecked(
	reader: RpcReader,
	terms: SimulationTerms,
	outcome: Outcome,
): Promise<Simulation> {
	const poor = await findLackOfCoins(reader, terms);
	if (poor) return await formatSimulation('debug_traceCall', poor, noFacts, NO_EFFECTS);
	const effects = await readEffects(outcome.logs, outcome.coins);
	const factsOf = await readFacts(reader, listTokens(effects));
	const holdings = [...sumMoves(effects.moves).values()];
	const changes = await computeChanges(holdings, effects.moves, NO_ANSWERS);
	return await formatSimulation('debug_traceCall', outcome, factsOf, {
		changes,
		approvals: effects.approvals,
	});
}

const NO_ANSWERS: Answers = new Map();

/** Lists the contracts that wrote logs, and the tokens that contracts such as Permit2 name. */
function listTokens({ emitters, approvals }: SimulatedEffects): string[] {
	return [...new Set([...emitters, ...approvals.map(({ token }) => token)])];
}

/** Limits the tokens whose symbol and decimals are read. Ordinary transactions involve fewer. */
const MAX_TOKENS = 100;

async function readFacts(reader: RpcReader, tokens: readonly string[]): Promise<FactsOf> {
	const reading = readTokenFacts(reader, tokens.slice(0, MAX_TOKENS));
	return await reading.catch((failure) => (isRefusal(failure) ? noFacts : rethrow(failure)));
}

const noFacts: FactsOf = () => NO_FACTS;
const NO_EFFECTS = { changes: [], approvals: [] };

/** All that is known of the effects of a transaction, with the balances of its accounts before and after it. */
interface Findings {
	readonly outcome: Outcome;
	readonly effects: SimulatedEffects;
	readonly factsOf: FactsOf;
	readonly plan: CheckPlan;
	readonly answers: Answers;
}

async function formatChecked(
	reader: RpcReader,
	terms: SimulationTerms,
	first: Outcome,
): Promise<Simulation> {
	const found = await checkOutcome(reader, terms, first);
	const { outcome, effects, factsOf, plan, answers } = found;
	const had = findNumbers(answers, askCoins(terms.transaction.from))?.before;
	const poor = await findLackOfCoins(reader, terms, had);
	if (poor) return await formatSimulation('eth_simulateV1', poor, noFacts, NO_EFFECTS);
	const trusted = isFeeUnclear(terms, found) ? withoutCoins(plan, answers) : answers;
	const changes = await computeChanges(plan.holdings, effects.moves, trusted);
	const approvals = await computeApprovals(effects.approvals, plan.candidates, answers);
	return await formatSimulation('eth_simulateV1', outcome, factsOf, { changes, approvals });
}

/**
 * Returns an outcome that says that the sender lacks coins, if so. Chains demand the highest possible fee, but
 * simulations take only the present fee. Throws if the node does not know the sender's balance.
 */
async function findLackOfCoins(
	reader: RpcReader,
	{ transaction, block, leastCoins }: SimulationTerms,
	known?: bigint,
): Promise<Outcome | undefined> {
	if (leastCoins === 0n) return undefined;
	const had = known ?? (await readCoinBalance(reader, transaction.from, block));
	return had < leastCoins
		? buildFailedOutcome(
				`The account has too few coins for the value and the highest fee: it has ${had} wei, and ${leastCoins} are wanted`,
			)
		: undefined;
}

/**
 * Whether the changes of all coin balances add up to more or less than 0, but by no more than the fee, as on chains
 * that charge another fee. The changes of coins are then computed from transfers instead of balances.
 */
function isFeeUnclear(terms: SimulationTerms, { outcome, plan, answers }: Findings): boolean {
	const difference = sumCoins(plan, answers) ?? 0n;
	const fee = computeFee(terms, outcome);
	return difference !== 0n && difference <= fee && difference >= -fee;
}

function withoutCoins({ holdings }: CheckPlan, answers: Answers): Answers {
	const coins = holdings
		.filter(({ kind }) => kind === 'coin')
		.map(askBalance)
		.map(getQuestionKey);
	const left = new Map(answers);
	for (const key of coins) left.delete(key);
	return left;
}

/**
 * How often a simulation is repeated with more reads. The first answers may show that some logs or coin transfers are
 * missing.
 */
const MAX_CHECKS = 3;

async function checkOutcome(
	reader: RpcReader,
	terms: SimulationTerms,
	first: Outcome,
): Promise<Findings> {
	const { transaction } = terms;
	const answers = new Map(NO_ANSWERS);
	let outcome: Outcome = { ...first, coins: withOwnTransfer(transaction, first.coins) };
	for (let left = MAX_CHECKS; ; left--) {
		const effects = await readEffects(outcome.logs, outcome.coins);
		const factsOf = await readFacts(reader, [...listCalled(transaction), ...listTokens(effects)]);
		const plan = planCheck(transaction, effects, factsOf);
		const unasked = plan.questions.filter((one) => !answers.has(getQuestionKey(one)));
		if (unasked.length === 0 || left === 0) return { outcome, effects, factsOf, plan, answers };
		const checked = await askAround(reader, terms, unasked);
		for (const [key, pair] of checked.answers) answers.set(key, pair);
		for (const { logs } of checked.outcomes) checkLogs(outcome.logs, logs);
		checked.outcomes.forEach(checkCount);
		const { coins } = outcome;
		const isComplete = (sumCoins(plan, answers) ?? 0n) === 0n;
		outcome = {
			...(checked.outcomes[0] ?? outcome),
			coins: isComplete ? coins : await findCoins(reader, terms, coins),
		};
	}
}

/**
 * Throws if a log is missing in the next simulation, which only adds reads. A contract has then noticed that it is
 * being simulated.
 */
function checkLogs(logs: readonly SimulatedLog[], later: readonly SimulatedLog[]): void {
	let found = 0;
	for (const log of later) if (found < logs.length && isSameLog(log, logs[found])) found++;
	if (found === logs.length) return;
	throw new RequestFailure('Two simulations of the transaction gave different events', {
		description:
			'So the preview is not reliable. A contract may act differently in a simulation, or the chain node may have moved to another block in between. Simulate again. If the error remains, do not sign the transaction.',
	});
}

function isSameLog(one: SimulatedLog, other: SimulatedLog | undefined): boolean {
	return (
		one.address === other?.address &&
		one.data === other.data &&
		one.topics.join() === other.topics.join()
	);
}

/** Adds the transfer of coins by the transaction itself, which a node may not log. */
function withOwnTransfer(
	{ from, to, value }: SimulatedTransaction,
	coins: readonly CoinMove[],
): readonly CoinMove[] {
	if (to === undefined || value === 0n) return coins;
	const isLogged = coins.some(
		(move) => move.from === from && move.to === to && move.value === value,
	);
	return isLogged ? coins : [{ from, to, value }, ...coins];
}

function listCalled({ to, data }: SimulatedTransaction): string[] {
	return to === undefined || data === '0x' ? [] : [to];
}

/** Finds the coin transfers in a trace, because some nodes do not log the coins of a contract that destroys itself. */
async function findCoins(
	reader: RpcReader,
	{ transaction, block }: SimulationTerms,
	known: readonly CoinMove[],
): Promise<readonly CoinMove[]> {
	const traced = await callTraceCall(reader, transaction, block).catch(nullIfRefused);
	return traced?.success ? traced.coins : known;
}

async function formatSimulation(
	by: SimulationMethod,
	{ success, revertReason, gasUsed, logs }: Outcome,
	factsOf: FactsOf,
	found: { readonly changes: readonly Sum[]; readonly approvals: readonly Approval[] },
): Promise<Simulation> {
	return {
		success,
		revertReason,
		gasUsed,
		changes: await mapWithPauses(found.changes, (change) => formatChange(change, factsOf)),
		approvals: await mapWithPauses(found.approvals, (one) => formatApproval(one, factsOf)),
		events: await formatEvents(logs),
		by,
	};
}
