import { formatUnits } from '../values/units';

/** Values that the token does not return are null. */
export interface TokenInfo {
	readonly symbol: string | null;
	readonly decimals: number | null;
}

/** Formats an amount of a token in whole tokens; null where its decimals are unknown. */
export function formatTokenAmount(
	amount: bigint,
	{ decimals }: Pick<TokenInfo, 'decimals'>,
): string | null {
	return decimals === null ? null : formatUnits(amount, decimals);
}
