import { RequestFailure } from '../errors/requestFailure';
import type { Cost } from './purse';
import { formatTokenAmount, formatTokenName, type TokenFacts } from './tokens';

/** The amount of a token that a payment costs, and the account that pays it. */
export interface TokenSpending {
	/** The token in the spelling that people know. Costs of the same token are added up. */
	readonly token: string;
	readonly facts: TokenFacts;
	/** The account that pays, in the spelling that people know. */
	readonly owner: string;
	/** The amount in the smallest unit. */
	readonly amount: bigint;
	/** The owner's balance before the run; undefined if it is unknown. */
	readonly balance: bigint | undefined;
}

/** Builds the cost of a payment in tokens. Costs in the same token are added up over the items of a run. */
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

/** Formats an amount in whole tokens, or in the smallest unit if the decimals are unknown. */
function formatAmount(value: bigint, facts: TokenFacts): string {
	return formatTokenAmount(value, facts) ?? `${value} units`;
}
