import {
	computeMaxFee,
	formatUnits,
	ETHER_DECIMALS,
	type UnsignedTransaction,
} from '../../nodes/core';
import { formatAddress } from './addresses';
import { checkBudget } from './budget';
import { checkCall } from './callRules';
import { checkMaxCoins } from './coins';
import { checkRecipient } from './parties';
import { listAllowed, throwForbidden } from './refusal';
import type { Rules } from './rules';

/**
 * Refuses an EVM transaction that a rule forbids. Its addresses and its data are in lower case; `now` is in milliseconds
 * since 1970.
 */
export function checkEvmTransaction(
	rules: Rules,
	transaction: UnsignedTransaction,
	now: number,
): void {
	const { chainId, from, to, nonce, value, data } = transaction;
	checkChain(rules, chainId, 'the transaction');
	checkBudget(rules.budget, nonce, now);
	checkMaxCoins(rules, 'maxAmount', value, 'the transaction sends');
	const fee = computeMaxFee(transaction);
	checkMaxCoins(rules, 'maxFee', fee, 'the transaction offers a fee of');
	if (to === undefined) checkDeployment(rules, value);
	else if (data !== '0x') checkCall(rules, { from, to, data, value });
	else checkRecipient(rules, from, to);
}

export function checkChain({ chainIds }: Rules, chainId: bigint, what: string): void {
	if (chainIds.includes(chainId)) return;
	throwForbidden('chainIds', {
		wants: `${what} is for chain ${chainId}`,
		allowed: listAllowed(chainIds.map(String)),
	});
}

/** The code that is deployed passes on what it gets to whom it likes. */
function checkDeployment(rules: Rules, value: bigint): void {
	if (!rules.allowDeployments) {
		throwForbidden('allowDeployments', {
			wants: 'the transaction deploys a contract',
			allowed: 'allowed: no deployments',
		});
	}
	if (value > 0n && rules.recipients.length > 0) {
		throwForbidden('recipients', {
			wants: `the contract that is deployed would receive ${formatUnits(value, ETHER_DECIMALS)} coins`,
			allowed: listAllowed(rules.recipients.map(formatAddress)),
		});
	}
}
