import type { RpcReader } from '../../chain/reader';
import { isRefusal } from '../../errors/requestFailure';
import { mapInParallel } from '../../net/pacing/concurrency';
import { rethrow } from '../../values/parse';
import { ZERO_ADDRESS } from '../address';
import { sumMoves, type FactsOf } from './changes';
import { askApproval } from './approvals';
import type { Approval, AssetMove } from './assets';
import type { SimulatedEffects } from './effects';
import type { Outcome } from './outcome';
import {
	askBalance,
	findNumbers,
	getQuestionKey,
	type Answers,
	type Holding,
	type Question,
	withoutFee,
} from './reads';
import { callSimulateV1, type ReadPair } from './simulateV1';
import type { SimulationTerms } from './terms';
import type { SimulatedTransaction } from './transaction';

/** What is read before the transaction and after it. */
export interface CheckPlan {
	readonly holdings: readonly Holding[];
	/** Allowances that may have been spent. */
	readonly candidates: readonly Approval[];
	readonly questions: readonly Question[];
}

/**
 * Limits the questions about balances and approvals. Ordinary transactions need fewer. The changes of further assets
 * are computed from events.
 */
const MAX_QUESTIONS = 500;

function toHolding({ kind, token, id, account }: Holding): Holding {
	return { kind, token, id, account };
}

/** Plans what is read: balances and approvals that events name, and the sender's balances of the tokens that are involved. */
export function planCheck(
	transaction: SimulatedTransaction,
	{ moves, approvals, emitters }: SimulatedEffects,
	factsOf: FactsOf,
): CheckPlan {
	const holdings: Holding[] = [
		...[...sumMoves(moves).values()].map(toHolding),
		...listParties(transaction).map((account) => ({ ...COIN, account })),
		...listQuietHoldings(transaction, { moves, approvals, emitters }, factsOf),
	];
	const candidates = listSpentAllowances(transaction, moves);
	// The sender's balances are read first, so they stay within the limit if a transaction moves very many tokens.
	const isOwn = ({ account }: Holding) => account === transaction.from;
	const ordered = [...holdings.filter(isOwn), ...holdings.filter((one) => !isOwn(one))];
	const questions = takeQuestions(ordered.filter(isRead), [...approvals, ...candidates]);
	return { holdings, candidates, questions };
}

function isRead({ kind, account }: Holding): boolean {
	return kind === 'erc721' || kind === 'coin' || account !== ZERO_ADDRESS;
}

/** Takes the first questions, without duplicates. Further questions are not even built, because there may be thousands. */
function takeQuestions(holdings: readonly Holding[], approvals: readonly Approval[]): Question[] {
	const questions = new Map<string, Question>();
	const isFull = (question: Question) =>
		questions.set(getQuestionKey(question), question).size === MAX_QUESTIONS;
	if (!holdings.some((one) => isFull(askBalance(one))))
		approvals.some((one) => isFull(askApproval(one)));
	return [...questions.values()];
}

const COIN = { kind: 'coin', token: null, id: null } as const;

function listParties({ from, to }: SimulatedTransaction): string[] {
	return to === undefined || to === from ? [from] : [from, to];
}

/** Lists balances that may change without an event, because some tokens log nothing or change all balances at once. */
function listQuietHoldings(
	transaction: SimulatedTransaction,
	{ moves, approvals, emitters }: SimulatedEffects,
	factsOf: FactsOf,
): Holding[] {
	const { from, to, data } = transaction;
	const nfts = new Set<string | null>([
		...moves.filter(({ kind }) => kind.startsWith('erc') && kind !== 'erc20').map(toToken),
		...approvals.filter(({ kind }) => kind === 'erc721' || kind === 'all').map(toToken),
	]);
	const isCoinLike = (token: string) => factsOf(token).decimals !== null && !nfts.has(token);
	const hold = (token: string, account: string): Holding => ({
		...{ kind: 'erc20', token, id: null, account },
	});
	const met = emitters.filter(isCoinLike).map((token) => hold(token, from));
	if (to === undefined || data === '0x' || !isCoinLike(to)) return met;
	return [...met, ...[from, ...listAddresses(data)].map((account) => hold(to, account))];
}

const toToken = ({ token }: Pick<AssetMove, 'token'>) => token;

const SELECTOR_CHARS = 10;
const WORD_CHARS = 64;
const MAX_ARGUMENTS = 3;

/** Finds those of the first arguments of a call that look like addresses. */
function listAddresses(data: string): string[] {
	const words = Array.from({ length: MAX_ARGUMENTS }, (_, at) =>
		data.slice(SELECTOR_CHARS + at * WORD_CHARS, SELECTOR_CHARS + (at + 1) * WORD_CHARS),
	);
	return words
		.filter((word) => /^0{24}(?!0{20})[0-9a-f]{40}$/.test(word))
		.map((word) => `0x${word.slice(24)}`);
}

/** Lists the allowances that the sender or the called contract may have spent without an event. */
function listSpentAllowances(
	transaction: SimulatedTransaction,
	moves: readonly AssetMove[],
): readonly Approval[] {
	return moves.flatMap(({ kind, token, id, from: owner }): Approval[] => {
		if (token === null || owner === ZERO_ADDRESS) return [];
		// After an NFT has moved to another owner, nobody else may spend it any more.
		if (kind === 'erc721') return [{ kind, token, owner, spender: ZERO_ADDRESS, value: 0n, id }];
		if (kind !== 'erc20') return [];
		const spenders = listParties(transaction).filter((spender) => spender !== token);
		return spenders.map((spender) => ({ kind, token, owner, spender, value: 0n, id: null }));
	});
}

/**
 * Sums up how the coins of all accounts change, in wei. The sum is 0, unless the node left out an account or takes
 * another fee. It is undefined if a balance is unknown.
 */
export function sumCoins({ holdings }: CheckPlan, answers: Answers): bigint | undefined {
	const accounts = new Set(
		holdings.filter(({ kind }) => kind === 'coin').map(({ account }) => account),
	);
	let sum = 0n;
	for (const account of accounts) {
		const found = findNumbers(answers, askCoins(account));
		if (!found) return undefined;
		sum += found.after - found.before;
	}
	return sum;
}

export function askCoins(account: string): Question {
	return askBalance({ ...COIN, account });
}

/** Limits the questions in one simulation. Each question is asked before the transaction, and again after it. */
const MAX_READS = 250;
const SIMULATION_CONCURRENCY = 4;

interface Checked {
	readonly answers: ReadonlyMap<string, ReadPair>;
	/** The outcomes of the transaction, one for each simulation. */
	readonly outcomes: readonly Outcome[];
}

/** Reads balances and approvals before the transaction and after it, in the same simulation. */
export async function askAround(
	reader: RpcReader,
	terms: SimulationTerms,
	questions: readonly Question[],
): Promise<Checked> {
	const chunks = Array.from({ length: Math.ceil(questions.length / MAX_READS) }, (_, at) =>
		questions.slice(at * MAX_READS, (at + 1) * MAX_READS),
	);
	const checked = await mapInParallel(
		chunks.length,
		SIMULATION_CONCURRENCY,
		async (at) => await askChunk(reader, terms, chunks[at] ?? []),
	);
	return mergeChecked(checked);
}

async function askChunk(
	reader: RpcReader,
	terms: SimulationTerms,
	reads: readonly Question[],
): Promise<Checked> {
	const wanted = { traceTransfers: false, reads };
	const found = await callSimulateV1(reader, terms, wanted).catch(nullIfNotSimulated);
	if (found?.outcome.success) {
		const fee = computeFee(terms, found.outcome);
		const own = getQuestionKey(askCoins(terms.transaction.from));
		const answers = reads.map((read, at) => {
			const [key, pair] = [getQuestionKey(read), found.pairs[at] ?? NO_ANSWER];
			return [key, key === own ? withoutFee(pair, fee) : pair] as const;
		});
		return { answers: new Map(answers), outcomes: [found.outcome] };
	}
	// A single token may use up the gas that all reads share, so the reads are split into two halves and sent again.
	const halves = splitByGroup(reads);
	if (!halves) return { answers: toUnanswered(reads), outcomes: [] };
	return mergeChecked(
		await Promise.all(halves.map(async (half) => await askChunk(reader, terms, half))),
	);
}

/** Computes what the sender pays for gas in a simulation, in wei. */
export function computeFee({ gasPrice }: SimulationTerms, { gasUsed }: Outcome): bigint {
	return gasPrice * BigInt(gasUsed ?? 0);
}

const NO_ANSWER: ReadPair = { before: undefined, after: undefined };

function toUnanswered(reads: readonly Question[]): Map<string, ReadPair> {
	return new Map(reads.map((read) => [getQuestionKey(read), NO_ANSWER]));
}

function nullIfNotSimulated(failure: unknown): null {
	return isRefusal(failure) && !failure.maybeExecuted ? null : rethrow(failure);
}

function splitByGroup(reads: readonly Question[]): Array<readonly Question[]> | undefined {
	const groups = [...new Set(reads.map(({ group }) => group))];
	if (groups.length < 2) return undefined;
	const first = new Set(groups.slice(0, Math.ceil(groups.length / 2)));
	return [
		reads.filter(({ group }) => first.has(group)),
		reads.filter(({ group }) => !first.has(group)),
	];
}

function mergeChecked(checked: readonly Checked[]): Checked {
	return {
		answers: new Map(checked.flatMap(({ answers }) => [...answers])),
		outcomes: checked.flatMap(({ outcomes }) => outcomes),
	};
}
