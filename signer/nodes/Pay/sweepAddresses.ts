import {
	addHints,
	buildNeverOutcome,
	InvalidInput,
	isAboutTransaction,
	isAtLeast,
	rethrow,
	sharedKey,
	type Decimal,
	type PaymentOutcome,
	type RunContext,
	type SignedPayment,
	type SweptChain,
	type SweptFamily,
} from '../../../nodes/core';
import type { DepositRules } from '../../rules/depositRules';
import { findDestination } from '../../rules/sweep';
import type { PreparedRequest } from '../core/prepared';
import type { Payers } from '../core/request';
import { holdAlone } from './alone';
import { buildItem, followSigned, takeSigned, type Settled } from './behindSignature';
import { openFamily, openSwept, withoutMemory, type PayRequest } from './family';
import type { PayOptions } from './options';
import { payForDeposits, type PaidFor } from './payForDeposits';
import {
	askDeposit,
	getEnd,
	getSecondsLeft,
	getTransfer,
	getWords,
	type Deposit,
	type ReadyDeposit,
	type Sweeping,
} from './sweeping';

interface Asked {
	readonly chain: SweptFamily;
	readonly token: string | undefined;
	readonly indexes: readonly number[];
	readonly paymentId: string;
	/** In seconds. */
	readonly waitFor: number;
	readonly options: PayOptions & { readonly minAmount?: Decimal };
}

type Context = RunContext<PayRequest>;

/** What became of an address. */
interface Swept extends Settled {
	readonly facts: SignedPayment;
	/** Whether its own transfer was signed: a top-up is none. */
	readonly isSigned: boolean;
	readonly funding?: Funding;
}

/** The top-up that an address got for its fee. The amount is in whole coins. */
interface Funding {
	readonly hash: string | null;
	readonly amount: string;
}

/** The addresses for which the run has already returned an item, together with the swept token. */
const SWEPT_ADDRESSES = sharedKey('pay.sweptAddresses', () => new Set<string>());

/** Brings what the addresses of one item hold to the destination, side by side. An error means that nothing was signed. */
export async function sweepAddresses(p: Asked, shared: Context): Promise<readonly object[]> {
	const end = getEnd(p.waitFor);
	const context = withoutMemory(shared);
	const rules = (await context.call({ deposits: { kind: 'rules' } })) as DepositRules;
	const policy = rules[p.chain];
	const { destination = '' } = policy.sweep;
	const asked = { token: p.token ?? '', destination };
	const chain = openSwept(p.chain, context, { options: p.options, asked });
	findDestination(policy, policy.tokens, chain.token);
	const { accounts } = (await context.call({ signing: { kind: 'payers' } })) as Payers;
	const [payer = ''] = accounts;
	const family = openFamily(p.chain, context, p.options);
	const sweeping = { chain: p.chain, context, family, policy, payer, end };
	const id = await chain.readId();
	const sweptBefore = shared.shared(SWEPT_ADDRESSES);
	const nameAddress = (index: number) => [p.chain, id, chain.token, index].join(' ');
	const fresh = p.indexes.filter((index) => !sweptBefore.has(nameAddress(index)));
	const own = await deriveAccounts(context, fresh, destination);
	const first = await deriveAccount(context, 0);
	const names = [first, payer].map((account) => [p.chain, id, account].join(' '));
	const swept = await holdAlone(context, { names, end }, async (isAlone) => {
		const deposits = await readDeposits(chain, own, p.options.minAmount);
		return isAlone
			? await sweepDeposits(sweeping, chain, deposits)
			: new Map(deposits.map((one) => [one, postpone(one, OTHER_EXECUTION)]));
	});
	for (const { index } of swept.keys()) sweptBefore.add(nameAddress(index));
	if (swept.size > 0 && p.options.minAmount === undefined) addHints(shared, [DUST_HINT]);
	return [...swept].map(([{ index }, { facts, funding, isSigned, ...settled }]) => {
		const payment = { paymentId: p.paymentId || null, chain: p.chain, facts };
		const words = isSigned ? SIGNED_WORDS : UNSIGNED_WORDS;
		return {
			...buildItem(shared, { ...payment, words }, settled, findOutcomeHint),
			depositIndex: index,
			fundingTransactionHash: funding?.hash ?? null,
			fundingAmount: funding?.amount ?? null,
		};
	});
}

const SIGNED_WORDS = {
	confirmed: 'Swept',
	failed: 'Not swept:',
	unknown: 'Perhaps swept:',
} as const;
const UNSIGNED_WORDS = { ...SIGNED_WORDS, unknown: 'Not swept yet:' } as const;

const DUST_HINT =
	'Strangers can send dust, whose sweeps cost more than they bring: set the option Min Amount.';
const OTHER_EXECUTION =
	'Another execution sweeps with the same key. Nothing was signed: sweep again later.';
const PENDING_TRANSACTION =
	'A transaction of the address is not in a block yet. Nothing was signed: sweep again later.';
const PAYER_BUSY =
	"A transaction of the key's account is not in a block yet, so nothing is topped up. Nothing was signed: sweep again later.";

const OUTCOME_HINTS = {
	confirmed: undefined,
	failed: 'An address was not swept: its item says why in `reason`.',
	unknown:
		'A sweep is unknown: run Finish with its item where it has a signedTransaction, then sweep again.',
} as const;

function findOutcomeHint({ status }: PaymentOutcome): string | undefined {
	return OUTCOME_HINTS[status];
}

interface OwnAccount {
	readonly index: number;
	/** 40 hex digits. */
	readonly account: string;
}

/** Derives the accounts of the indexes. The destination is left out if it is one of them. */
async function deriveAccounts(
	context: Context,
	indexes: readonly number[],
	destination: string,
): Promise<readonly OwnAccount[]> {
	const found: OwnAccount[] = [];
	for (const index of indexes) found.push({ index, account: await deriveAccount(context, index) });
	return found.filter(({ account }) => !destination.endsWith(account));
}

async function deriveAccount({ call }: Context, index: number): Promise<string> {
	return String(await call({ deposits: { kind: 'account', index } }));
}

async function readDeposits(
	chain: SweptChain<PreparedRequest>,
	own: readonly OwnAccount[],
	least: Decimal | undefined,
): Promise<readonly Deposit[]> {
	const holdings = await chain.readHoldings(own.map(({ account }) => account));
	const all = holdings.map((holding, at) => ({ index: own[at]?.index ?? 0, holding }));
	return all.filter(({ holding: { balance, facts } }) => balance > 0n && isEnough(facts, least));
}

function isEnough({ decimals, value }: SignedPayment, least: Decimal | undefined): boolean {
	if (least === undefined) return true;
	if (decimals === null)
		throw new InvalidInput(
			"'Options > Min Amount' must be empty for a token that does not report its decimals",
			'Its amounts are not known in whole tokens.',
		);
	return isAtLeast(value ?? 0n, decimals, least);
}

/** Builds the result of an address for which nothing was signed. */
function postpone({ holding: { facts } }: Deposit, reason: string): Swept {
	const outcome = { ...buildNeverOutcome(null, reason), status: 'unknown' } as const;
	return { outcome, text: null, facts, isSigned: false };
}

function fail({ holding: { facts } }: Deposit, reason: string): Swept {
	return { outcome: buildNeverOutcome(null, reason), text: null, facts, isSigned: false };
}

/** Asks the rules about all sweeps before anything is signed. The results are in the order of the addresses. */
async function sweepDeposits(
	sweeping: Sweeping,
	chain: SweptChain<PreparedRequest>,
	deposits: readonly Deposit[],
): Promise<ReadonlyMap<Deposit, Swept>> {
	const { context, payer } = sweeping;
	const prepared = await Promise.all(deposits.map(prepareDeposit));
	const ready = prepared.filter((one): one is ReadyDeposit => 'prepared' in one);
	const poor = prepared.filter((one) => 'isPoor' in one).length;
	const isWaiting = ready.some(needsPayer) && (await chain.isPayerBusy(payer));
	const waits = (one: ReadyDeposit) => isWaiting && needsPayer(one);
	const paid = await payForDeposits(
		sweeping,
		ready.filter((one) => !waits(one)),
	);
	if (poor > 0) addHints(context, [formatPoorHint(poor)]);
	const all = await Promise.all(
		prepared.map(async (one): Promise<ReadonlyArray<readonly [Deposit, Swept]>> => {
			if ('isPoor' in one) return [];
			if (!('prepared' in one)) return [[one, one.swept]];
			const swept = waits(one)
				? postpone(one, PAYER_BUSY)
				: await sweepOne(sweeping, one, paid.get(one));
			return [[one, swept]];
		}),
	);
	return new Map(all.flat());
}

function needsPayer({ prepared: { authorization, missing } }: ReadyDeposit): boolean {
	return authorization !== undefined || missing > 0n;
}

function formatPoorHint(count: number): string {
	const addresses = count === 1 ? '1 address holds' : `${count} addresses hold`;
	return `${addresses} coins that do not cover the fee, or are worth less than it: nothing was signed for them.`;
}

type Prepared =
	| ReadyDeposit
	| (Deposit & { readonly swept: Swept })
	| (Deposit & { readonly isPoor: true });

async function prepareDeposit(deposit: Deposit): Promise<Prepared> {
	const { holding } = deposit;
	if (holding.isBusy) return { ...deposit, swept: postpone(deposit, PENDING_TRANSACTION) };
	try {
		const prepared = await holding.prepare();
		return prepared ? { ...deposit, prepared } : { ...deposit, isPoor: true };
	} catch (failure) {
		if (!isAboutTransaction(failure)) return rethrow(failure);
		return { ...deposit, swept: fail(deposit, `${failure.message}. Nothing was sent for it.`) };
	}
}

/**
 * Sends all that an address holds, after a top-up if it needs one. Nothing is thrown here, because something may already be sent for the
 * address.
 */
async function sweepOne(
	sweeping: Sweeping,
	deposit: ReadyDeposit,
	paid: PaidFor | undefined,
): Promise<Swept> {
	const { facts } = deposit.prepared;
	if (!paid) return await transfer(sweeping, deposit);
	if ('postponed' in paid) return postpone(deposit, `${NOT_SENT} ${paid.postponed}. ${AGAIN}`);
	const { outcome, text } = await paid.settling;
	if (paid.topUp === undefined) return { facts, outcome, text, isSigned: true };
	const funding = { hash: outcome.transactionHash, amount: paid.topUp };
	if (outcome.status === 'confirmed') return { ...(await transfer(sweeping, deposit)), funding };
	const reason = `${outcome.status === 'failed' ? NO_TOP_UP : OPEN_TOP_UP} ${outcome.reason ?? ''}`;
	const unmoved = { ...outcome, ...NOTHING_MOVED, reason };
	return { facts, funding, outcome: unmoved, text, isSigned: false };
}

/** Has the address send all that it holds. */
async function transfer(sweeping: Sweeping, deposit: ReadyDeposit): Promise<Swept> {
	const { prepared } = deposit;
	try {
		const unsigned = await prepared.renew?.();
		const request = getTransfer(deposit, unsigned);
		const answer = await askDeposit(sweeping, 'sign', deposit, request);
		const signed = takeSigned(sweeping.family, answer);
		const settled = await followSigned(signed, { seconds: getSecondsLeft(sweeping) });
		return { facts: prepared.facts, ...settled, isSigned: true };
	} catch (failure) {
		return {
			...postpone(deposit, `It could not be signed: ${getWords(failure)}. ${AGAIN}`),
			facts: prepared.facts,
		};
	}
}

const AGAIN = 'Sweep again later.';
const NOT_SENT = "The key's account has sent nothing for it:";
const NO_TOP_UP = 'It was not topped up:';
const OPEN_TOP_UP = 'Its top-up is unknown:';

/** If an address got only a top-up, its item has null in these fields, because the sweep itself has moved nothing. */
const NOTHING_MOVED = { transactionHash: null, fee: null, blockNumber: null, timestamp: null };
