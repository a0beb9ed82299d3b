import { formatUnits, ETHER_DECIMALS, type UnsignedTransaction } from '../../nodes/core';
import { checkCall, checkRecipient } from './contractCalls';
import { listAllowed, throwForbidden } from './refusal';
import { formatAddress, type Rules } from './rules';

/** Refuses an EVM transaction that a rule forbids. Its addresses and its data are in lower case. */
export function checkEvmTransaction(rules: Rules, transaction: UnsignedTransaction): void {
	const { chainId, from, to, value, gas, price, data } = transaction;
	if (!rules.chainIds.includes(chainId)) {
		throwForbidden('chainIds', {
			wants: `the transaction is for chain ${chainId}`,
			allowed: listAllowed(rules.chainIds.map(String)),
		});
	}
	checkMaxCoins('maxAmount', rules.maxAmount, value, 'the transaction sends');
	const fee = gas * ('gasPrice' in price ? price.gasPrice : price.maxFeePerGas);
	checkMaxCoins('maxFee', rules.maxFee, fee, 'the transaction offers a fee of');
	if (to === undefined) checkDeployment(rules, value);
	else if (data !== '0x') checkCall(rules, { from, to, data, value });
	// A transaction without value to oneself replaces a pending transaction, and gives nothing to anybody.
	else if (value > 0n || to !== from) checkRecipient(rules, to);
}

function checkMaxCoins(rule: string, most: bigint, amount: bigint, does: string): void {
	if (amount <= most) return;
	throwForbidden(rule, {
		wants: `${does} ${formatUnits(amount, ETHER_DECIMALS)} coins`,
		allowed: `allowed: at most ${formatUnits(most, ETHER_DECIMALS)}`,
	});
}

/** The deployed code may pass on what it gets to anybody. */
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
