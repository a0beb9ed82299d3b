import { formatAddress, type Address } from './addresses';
import type { Policy } from './policy';
import { forbid } from './refusal';

/** A token whose amount was given in whole tokens, with the decimals from the node. */
export interface CountedToken {
	readonly token: Address;
	/** Null if the token has none. */
	readonly decimals: number | null;
}

/**
 * Refuses an amount of a token that was converted with other decimals than its limit has. If a node gives two decimals
 * too many, the amount is a hundred times as large. The limit alone would allow it up to the highest amount.
 */
export function checkDecimals(
	{ family, tokenLimits }: Pick<Policy, 'family' | 'tokenLimits'>,
	counted: CountedToken | undefined,
): void {
	if (!counted) return;
	const { token, decimals } = counted;
	const expected = tokenLimits.get(token)?.decimals;
	if (expected === undefined || expected === decimals) return;
	forbid(family.rules.limits, {
		wants: `the token at ${formatAddress(token)} gives ${decimals ?? 'no'} decimals, by which the amount was counted`,
		allowed: `Allowed: ${expected} decimals`,
	});
}
