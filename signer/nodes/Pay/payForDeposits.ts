import { authorize } from './authorizations';
import { followSigned, type Settled } from './behindSignature';
import { signForPayer } from './payerTransactions';
import {
	askDeposit,
	getSecondsLeft,
	getTransfer,
	getWords,
	type ReadyDeposit,
	type Sweeping,
} from './sweeping';
import { planTopUps, readyTopUps, type TopUp } from './topUps';

/** What the key's account does for the sweep of an address: it sends a top-up or an authorization, or nothing. */
export type PaidFor =
	/** It has signed a top-up of so many whole coins, or what carries out the authorization of the address. It is sent at once. */
	| { readonly topUp?: string; readonly settling: Promise<Settled> }
	/** Nothing, for this reason. */
	| { readonly postponed: string };

/**
 * Signs what the account of the key sends for addresses, and begins to send it. Addresses that need nothing of it are not in the result.
 * An error means that nothing was signed.
 */
export async function payForDeposits(
	sweeping: Sweeping,
	deposits: readonly ReadyDeposit[],
): Promise<ReadonlyMap<ReadyDeposit, PaidFor>> {
	const { ready, refused, postponed, areSigned } = await authorize(sweeping, deposits);
	const reasons = new Map(postponed);
	const topUps = await prepareTransfers(sweeping, refused).catch((failure) => {
		if (!areSigned) throw failure;
		for (const deposit of refused) reasons.set(deposit, getWords(failure));
		return [];
	});
	const all = [...ready, ...topUps];
	const { signed, failure } = await signForPayer(sweeping, all);
	const missing = all.filter(({ deposit }) => !signed.has(deposit));
	if (missing.length > 0 && signed.size === 0 && !areSigned) throw failure;
	for (const { deposit } of missing) reasons.set(deposit, getWords(failure));
	const amounts = new Map(topUps.map(({ deposit, amount }) => [deposit, amount]));
	const seconds = getSecondsLeft(sweeping);
	return new Map<ReadyDeposit, PaidFor>([
		...[...reasons].map(([deposit, reason]) => [deposit, { postponed: reason }] as const),
		...[...signed].map(([deposit, one]) => {
			const topUp = amounts.get(deposit);
			const settling = followSigned(one, { seconds });
			return [deposit, { ...(topUp !== undefined && { topUp }), settling }] as const;
		}),
	]);
}

/** Checks the addresses' own transfers against the rules, and prepares top-ups for addresses that lack coins. */
async function prepareTransfers(
	sweeping: Sweeping,
	deposits: readonly ReadyDeposit[],
): Promise<readonly TopUp[]> {
	for (const deposit of deposits)
		await askDeposit(sweeping, 'check', deposit, getTransfer(deposit));
	const lacking = deposits.filter(({ prepared }) => prepared.missing > 0n);
	return await readyTopUps(sweeping, await planTopUps(sweeping, lacking));
}
