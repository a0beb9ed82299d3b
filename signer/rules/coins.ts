import { formatUnits } from '../../nodes/core';
import { throwForbidden } from './refusal';
import { COIN_RULE_DECIMALS, type CoinRule, type Rules } from './rules';

/** Refuses more coins than a rule allows; `does` says what the transaction does with them. */
export function checkMaxCoins(rules: Rules, rule: CoinRule, amount: bigint, does: string): void {
	const most = rules[rule];
	if (amount <= most) return;
	const decimals = COIN_RULE_DECIMALS[rule];
	throwForbidden(rule, {
		wants: `${does} ${formatUnits(amount, decimals)} coins`,
		allowed: `allowed: at most ${formatUnits(most, decimals)}`,
	});
}
