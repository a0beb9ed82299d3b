import {
	formatUnits,
	parseText,
	parseUint256,
	unitsParser,
	wholeNumberParser,
	type Parse,
	InvalidValue,
	raise,
} from '../../nodes/core';
import { parseAddress, type Address } from './addresses';

/** The highest amount of a token in one transaction or one signature. */
export interface TokenLimit {
	/** The amount in the smallest unit. */
	readonly most: bigint;
	/**
	 * The decimals that the owner of the credential gave. Undefined if the limit is in the smallest unit. The token is not asked, because it
	 * could lie.
	 */
	readonly decimals: number | undefined;
}

export type TokenLimits = ReadonlyMap<Address, TokenLimit>;

/** Parses one token with its limit in each line. `parseToken` parses the token's address. */
export function tokenLimitsParser(parseToken: Parse<string>): Parse<TokenLimits> {
	return (given) => {
		const found = new Map<string, TokenLimit>();
		for (const line of parseText(given).split('\n')) {
			if (line.trim() === '') continue;
			const [, token = '', most = '', decimals] =
				TOKEN_LIMIT_PATTERN.exec(line.trim()) ?? raise(new InvalidValue(EXPECTED_TOKEN_LIMITS));
			const key = parseToken(token);
			if (found.has(key)) throw new InvalidValue('a list that has each token once');
			found.set(key, parseLimit(most, decimals));
		}
		return found;
	};
}

export const parseTokenLimits = tokenLimitsParser(parseAddress);

const TOKEN_LIMIT_PATTERN = /^(\S+)[^\S\r]+(\d+(?:\.\d+)?)(?:[^\S\r]+(\d+))?$/;
const EXPECTED_TOKEN_LIMITS =
	'one token in each line: its address, a blank, and a whole number of its smallest unit; or an amount in whole tokens, a blank, and its decimals';

/** The highest number of decimals. With more, not even one whole token fits into 256 bits. */
const MAX_DECIMALS = 77;
const parseDecimals = wholeNumberParser(0, MAX_DECIMALS);

function parseLimit(most: string, decimals: string | undefined): TokenLimit {
	if (decimals === undefined) {
		const isWhole = !most.includes('.');
		return isWhole
			? { most: parseUint256(most), decimals }
			: raise(new InvalidValue(EXPECTED_TOKEN_LIMITS));
	}
	const places = parseDecimals(decimals);
	return { most: unitsParser(places)(most), decimals: places };
}

/** Formats an amount in the unit in which the limit is written. */
export function formatTokenAmount(amount: bigint, { decimals }: TokenLimit): string {
	return decimals === undefined
		? `${amount} of its smallest unit`
		: `${formatUnits(amount, decimals)} whole tokens`;
}

/** Formats the number without words, in the unit in which the limit is written. */
export function formatAmount(amount: bigint, { decimals }: TokenLimit): string {
	return decimals === undefined ? String(amount) : formatUnits(amount, decimals);
}
