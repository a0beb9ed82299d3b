import { formatUnits } from '../../nodes/core';
import { formatAddress, type Address } from './addresses';
import { formatUnspent, type Budget } from './budget';
import { formatFunctions, type AllowedFunctions } from './contracts';
import { formatList } from './list';
import type { Policy } from './policy';
import { formatAmount } from './tokenLimits';

interface SpendingWords {
	/** Says where the coins are, such as `on chain 1`. */
	readonly of: string;
	/** Says what is paid beside the amount and the fee; empty for nothing. */
	readonly beside: string;
	/** Says that a budget does not lose what a day leaves. */
	readonly unspent: (budget: Budget) => string;
	/** Says who gets the amount. */
	readonly whom: (what: string) => string;
}

/** Describes what is spent at a time, or by all transactions of a day. */
export function describeSpending(policy: Policy, words: SpendingWords): string {
	const { budget, maxAmount, maxFee } = policy;
	const { beside, of, unspent, whom } = words;
	if (maxAmount === 'unlimited') return `spend all coins ${of} at once${whom('')}`;
	const most = formatCoins(policy, maxAmount);
	const each = `${most} + ${formatCoins(policy, maxFee)}`;
	const receivers = maxAmount > 0n ? whom(`the ${most} `) : '';
	if (!budget) return `spend all coins ${of}, ${each} for the fee at a time${beside}${receivers}`;
	const total = formatCoins(policy, budget.daily * (maxAmount + maxFee));
	return `spend ${total} coins a day (${budget.daily} × (${each})) ${of}${beside}${unspent(budget)}${receivers}`;
}

export function formatCoins({ family }: Policy, amount: bigint | 'unlimited'): string {
	return amount === 'unlimited' ? amount : formatUnits(amount, family.coinDecimals);
}

/** Describes each token that has a limit. */
export function describeTokens(policy: Policy): readonly string[] {
	const { budget, dailyAuthorizations, family, recipients, spenders, tokenLimits } = policy;
	const { move, party, place, unit } = family.tokenWords;
	const takers = dailyAuthorizations === undefined ? spenders : [];
	const parties = [...new Set([...recipients, ...takers])].filter(family.owns);
	const whom = recipients.length > 0 ? `, ${party} ${formatAddresses(parties)} only` : '';
	const limits = [...tokenLimits].filter(([token]) => family.owns(token));
	return limits.map(([token, limit]) => {
		const what = limit.decimals === undefined ? 'smallest units' : unit;
		const name = `${what} of ${place}${formatAddress(token)}`;
		const each = formatAmount(limit.most, limit);
		const daily = dailyAuthorizations ?? budget?.daily;
		if (daily === undefined) return `${move} all ${name}, ${each} at a time${whom}`;
		const sum = `${move} ${formatAmount(daily * limit.most, limit)} ${name} a day (${daily} × ${each})`;
		return `${sum}${budget ? formatUnspent(budget) : describeSignatures(policy)}${whom}`;
	});
}

/** A token counts nonces on each chain. */
function describeSignatures({ chainIds }: Policy): string {
	return ` by signatures, without a fee${chainIds.length > 1 ? ', on each chain' : ''}`;
}

/** Describes each contract whose functions may be called. */
export function describeContracts(policy: Policy): readonly string[] {
	const { contracts } = policy;
	const named = [...contracts.named].filter(([contract]) => policy.family.owns(contract));
	const calls = named.map(([contract, functions]) => describeFunctions(contract, functions));
	return contracts.any
		? [...calls, 'call any function of any contract but the account, and so move every token']
		: calls;
}

function describeFunctions(contract: Address, functions: AllowedFunctions): string {
	const names =
		functions === 'all' ? 'every function' : formatList(formatFunctions(functions), MAX_LISTED);
	return `call ${names} of ${formatAddress(contract)}, whatever it moves`;
}

/** The contracts that a rule names are trusted with the coins sent along. */
export function formatCoinReceivers(policy: Policy, what: string): string {
	const isAnyNamed = [...policy.contracts.named.keys()].some(policy.family.owns);
	return formatOnlyTo(policy, what, isAnyNamed ? ' or along with a call of Contracts' : '');
}

/** Says who receives, and who else; empty where anybody does. */
export function formatOnlyTo(policy: Policy, what = '', others = ''): string {
	const { family, recipients } = policy;
	if (recipients.length === 0) return '';
	const named = recipients.filter(family.owns);
	return `, ${what}to ${formatAddresses(named)}${others} only`;
}

export const MAX_LISTED = 3;

export function formatAddresses(addresses: readonly Address[]): string {
	return addresses.length > 0 ? formatList(addresses.map(formatAddress), MAX_LISTED) : 'nobody';
}
