import { formatUnits } from '../../nodes/core';
import { formatAddress, type Address } from './addresses';
import { formatUnspent } from './budget';
import { formatFunctions, type AllowedFunctions } from './contracts';
import { formatList } from './list';
import type { Policy } from './policy';
import { allowsAll, formatRecipients } from './recipients';
import { formatAmount } from './tokenLimits';

interface SpendingWords {
	/** The words for the place of the coins, such as `on chain 1`. */
	readonly of: string;
	/** A sentence about payments in addition to the amount and the fee; empty for none. */
	readonly beside: string;
	/** Says who gets the amount. */
	readonly whom: (what: string) => string;
}

/** Describes the highest spending of one transaction, or of all transactions of a day. */
export function describeSpending(policy: Policy, words: SpendingWords): string {
	const { budget, maxAmount, maxFee } = policy;
	const { beside, of, whom } = words;
	if (maxAmount === 'unlimited') return `spend all coins ${of} at once${whom('the coins')}`;
	const sent = maxAmount > 0n ? `at most ${formatCoins(policy, maxAmount)}` : 'no coins';
	const each = `sends ${sent} and costs a fee of at most ${formatCoins(policy, maxFee)}`;
	const receivers = maxAmount > 0n ? whom('the sent coins') : '';
	if (!budget) return `spend all coins ${of}: each transaction ${each}${beside}${receivers}`;
	const total = countCoins(policy, budget.daily * (maxAmount + maxFee));
	return `spend ${total} a day ${of}: ${formatDaily(budget.daily)} ${each}${beside}${formatUnspent(budget)}${receivers}`;
}

export function formatDaily(count: bigint, what = 'transaction'): string {
	return count === 1n ? `one ${what}` : `each of ${count} ${what}s`;
}

/** Formats an amount with its noun, such as "1 coin" or "2.2 coins". */
export function countCoins(policy: Policy, amount: bigint): string {
	const count = formatCoins(policy, amount);
	return `${count} ${count === '1' ? 'coin' : 'coins'}`;
}

export function formatCoins({ family }: Policy, amount: bigint | 'unlimited'): string {
	return amount === 'unlimited' ? amount : formatUnits(amount, family.coinDecimals);
}

/** Describes the losses of each token that has a limit. */
export function describeTokens(policy: Policy): readonly string[] {
	const { budget, dailyAuthorizations, family, recipients, spenders, tokenLimits } = policy;
	const { move, place, unit } = family.tokenWords;
	const takers = dailyAuthorizations === undefined ? spenders : [];
	const parties = [
		...new Set([
			...formatRecipients(recipients, family.owns),
			...takers.filter(family.owns).map(formatAddress),
		]),
	];
	const whom = allowsAll(recipients) ? '' : formatOnly('the tokens', parties);
	const limits = [...tokenLimits].filter(([token]) => family.owns(token));
	return limits.map(([token, limit]) => {
		const what = limit.decimals === undefined ? 'smallest units' : unit;
		const name = `${what} of ${place}${formatAddress(token)}`;
		const each = formatAmount(limit.most, limit);
		const daily = dailyAuthorizations ?? budget?.daily;
		if (daily === undefined) return `${move} all ${name}: at most ${each} at a time${whom}`;
		const sum = `${move} ${formatAmount(daily * limit.most, limit)} ${name} a day`;
		return budget
			? `${sum}: ${formatDaily(daily)} moves at most ${each}${formatUnspent(budget)}${whom}`
			: `${sum} by signatures, too: ${formatDaily(daily, 'signature')} moves at most ${each}, without a fee${describeChains(policy)}${whom}`;
	});
}

/** A sentence for several chains: a token counts nonces separately on each chain. */
function describeChains({ chainIds }: Policy): string {
	return chainIds.length > 1 ? '. Each chain allows this amount again' : '';
}

/** Describes the losses by each contract whose functions may be called. */
export function describeContracts(policy: Policy): readonly string[] {
	const { contracts } = policy;
	const named = [...contracts.named].filter(([contract]) => policy.family.owns(contract));
	const calls = named.map(([contract, functions]) => describeFunctions(contract, functions));
	return contracts.any
		? [
				...calls,
				'call any function of any contract except the account itself, and so move every token',
			]
		: calls;
}

function describeFunctions(contract: Address, functions: AllowedFunctions): string {
	const names =
		functions === 'all' ? 'every function' : formatList(formatFunctions(functions), MAX_LISTED);
	return `call ${names} of ${formatAddress(contract)}. No rule limits what such a call moves`;
}

/** Formats who may receive coins. Contracts that are named in a rule may receive the coins of a call. */
export function formatCoinReceivers(policy: Policy, what: string): string {
	const isAnyNamed = [...policy.contracts.named.keys()].some(policy.family.owns);
	return formatReceivers(policy, what, isAnyNamed ? ['the addresses in Contracts, by a call'] : []);
}

/** Formats the sentence about who may receive. It is empty if anybody may. */
export function formatReceivers(
	{ family, recipients }: Policy,
	what: string,
	others: readonly string[] = [],
): string {
	return allowsAll(recipients)
		? ''
		: formatOnly(what, formatRecipients(recipients, family.owns), others);
}

function formatOnly(
	what: string,
	parties: readonly string[],
	others: readonly string[] = [],
): string {
	const all = [...(parties.length > 0 ? [formatList(parties, MAX_LISTED)] : []), ...others];
	return all.length > 0
		? `. Only these addresses can receive ${what}: ${all.join('; ')}`
		: `. Nobody can receive ${what}`;
}

export const MAX_LISTED = 3;

export function formatAddresses(addresses: readonly Address[]): string {
	return formatList(addresses.map(formatAddress), MAX_LISTED);
}
