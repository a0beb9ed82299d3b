import { RequestFailure } from '../errors/requestFailure';
import type { Cost } from './purse';
import { formatTokenAmount, formatTokenName, type TokenFacts } from './tokens';

/** The amount of a token that a payment takes. */
export interface TokenSpending {
	/** The token as people know it; those of one address are counted together. */
	readonly token: string;
	readonly facts: TokenFacts;
	/** Who pays, as people know the account. */
	readonly owner: string;
	/** Amounts are in the smallest unit. */
	readonly amount: bigint;
	/** The owner's balance before all items; undefined if it is unknown. */
	readonly balance: bigint | undefined;
}

/** Adds up a token over the items of a run, as is done for coins. */
export function getTokenCost({ token, facts, owner, amount, balance }: TokenSpending): Cost {
	return {
		asset: token,
		amount,
		balance,
		throwShort: ({ spent }) => {
			const [needed, there] = [spent + amount, balance ?? 0n].map((one) =>
				formatAmount(one, facts),
			);
			throw new RequestFailure(
				`The tokens do not suffice: ${needed} are needed, ${there} are there`,
				{ description: `The token is ${formatTokenName(token, facts)}, the owner ${owner}.` },
			);
		},
	};
}

/** In the smallest unit if the token gives no decimals. */
function formatAmount(value: bigint, facts: TokenFacts): string {
	return formatTokenAmount(value, facts) ?? `${value} units`;
}
