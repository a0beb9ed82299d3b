import {
	addHints,
	FAMILIES,
	formatUnits,
	isMissing,
	makeMark,
	type PaymentPlace,
	type PreparedPayment,
	type SignedTransaction,
} from '../../../nodes/core';
import { forbid, RuleRefusal } from '../../rules/refusal';
import type { PreparedRequest } from '../core/prepared';
import { followSigned, takeSigned, type Settled } from './behindSignature';
import { getSecondsLeft, type ReadyDeposit, type Sweeping } from './sweeping';

/** The coins that an address was given for its fee, in whole coins. */
export interface Funding {
	readonly hash: string | null;
	readonly amount: string;
}

interface PlannedTopUp {
	readonly deposit: ReadyDeposit;
	readonly amount: string;
	readonly prepared: PreparedPayment<PreparedRequest>;
	readonly renewal: PaymentPlace<PreparedRequest>['renewal'];
}

/** A signed top-up. Following it sends it. */
export interface TopUp {
	readonly deposit: ReadyDeposit;
	follow(): Promise<Settled & { readonly funding: Funding }>;
}

/** Prepares the top-ups in the order of the addresses; nothing is prepared where the account can't pay for all of them. */
export async function planTopUps(
	sweeping: Sweeping,
	lacking: readonly ReadyDeposit[],
): Promise<readonly PlannedTopUp[]> {
	const { chain, family, payer, policy } = sweeping;
	const { coin } = FAMILIES[chain];
	const places: Array<PaymentPlace<PreparedRequest>> = [];
	const planned = lacking.map((deposit) => {
		const { missing, facts, turn = '' } = deposit.prepared;
		const amount = formatUnits(missing, coin.decimals);
		if (missing > policy.maxFee) refuseLarge(sweeping, String(facts.from), amount);
		const mark = makeMark(chain, JSON.stringify(['top-up', turn]));
		const asked = { token: '', to: String(facts.from), amount, comment: '', mark };
		const place = family.plan(asked).reserve(payer);
		places.push(place);
		return { deposit, amount, place };
	});
	try {
		return await Promise.all(
			planned.map(async ({ place, ...topUp }) => {
				const prepared = await place.prepare();
				return { ...topUp, prepared, renewal: place.renewal };
			}),
		);
	} finally {
		for (const { release } of places) release();
	}
}

function refuseLarge({ policy }: Sweeping, address: string, amount: string): never {
	const { family, maxFee } = policy;
	forbid(family.rules.fee, {
		wants: `${address} would be topped up by ${amount} coins`,
		allowed: `Allowed: at most ${formatUnits(maxFee, family.coinDecimals)}`,
	});
}

/** The key that pays signs within its own rules, which are asked for all top-ups before the first is signed. */
async function checkTopUps(
	{ context }: Sweeping,
	requests: readonly PreparedRequest[],
): Promise<void> {
	for (const [count, given] of requests.entries()) {
		await context.call({ signing: { kind: 'check', given } }).catch((failure) => {
			throw failure instanceof RuleRefusal && failure.rule === 'dailyTransactions'
				? tooManyError(failure, count, requests.length)
				: failure;
		});
	}
}

function tooManyError({ message, description, rule }: RuleRefusal, allowed: number, all: number) {
	return new RuleRefusal(
		`${message}. The sweep needs ${all} top-ups, and today the rules allow ${allowed} of them`,
		description ?? '',
		rule,
	);
}

/** Signs all of them in their order, once all are ready and the rules allow what is signed of each. */
export async function signTopUps(
	sweeping: Sweeping,
	planned: readonly PlannedTopUp[],
): Promise<readonly TopUp[]> {
	const { context, family } = sweeping;
	const ready = await Promise.all(
		planned.map(async ({ prepared: { unsigned }, renewal, ...topUp }) => ({
			...topUp,
			signing: isMissing(renewal) ? unsigned : await renewal.renew(unsigned),
		})),
	);
	const requests = ready.map(({ signing }) => signing);
	await checkTopUps(sweeping, requests);
	const topUps: TopUp[] = [];
	addHints(
		context,
		planned.flatMap(({ prepared }) => prepared.hints),
	);
	for (const { deposit, amount, signing } of ready) {
		const answer = await context.call({ signing });
		const signed = takeSigned(family, answer as Readonly<Record<string, unknown>>);
		topUps.push({ deposit, follow: async () => await follow(sweeping, signed, amount) });
	}
	return topUps;
}

async function follow(sweeping: Sweeping, signed: SignedTransaction, amount: string) {
	const settled = await followSigned(signed, { seconds: getSecondsLeft(sweeping) });
	return { ...settled, funding: { hash: settled.outcome.transactionHash, amount } };
}
