import type { Family } from '../values/families';
import { COINS } from './payment';
import { formatTokenAmount, type TokenInfo } from './tokens';

/** Formats the balance of a coin or a token with the same fields as payments; null if the balance could not be read. */
export function formatBalance(value: bigint | null, { symbol, decimals }: TokenInfo) {
	return {
		amount: value === null ? null : formatTokenAmount(value, { decimals }),
		symbol,
		decimals,
		value: value === null ? null : String(value),
	};
}

/** Formats what an account has of the coins of its chain. */
export function formatCoinBalance(family: Family, value: bigint | null) {
	return formatBalance(value, COINS[family]);
}
