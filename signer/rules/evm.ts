import {
	computeMaxFee,
	formatUnits,
	ETHER_DECIMALS,
	type UnsignedTransaction,
} from '../../nodes/core';
import { checkMaxCoins } from './coins';
import { checkCall, checkRecipient } from './contractCalls';
import { listAllowed, throwForbidden } from './refusal';
import { formatAddress, type Rules } from './rules';

/** Refuses an EVM transaction that a rule forbids. Its addresses and its data are in lower case. */
export function checkEvmTransaction(rules: Rules, transaction: UnsignedTransaction): void {
	const { chainId, from, to, value, data } = transaction;
	if (!rules.chainIds.includes(chainId)) {
		throwForbidden('chainIds', {
			wants: `the transaction is for chain ${chainId}`,
			allowed: listAllowed(rules.chainIds.map(String)),
		});
	}
	checkMaxCoins(rules, 'maxAmount', value, 'the transaction sends');
	const fee = computeMaxFee(transaction);
	checkMaxCoins(rules, 'maxFee', fee, 'the transaction offers a fee of');
	if (to === undefined) checkDeployment(rules, value);
	else if (data !== '0x') checkCall(rules, { from, to, data, value });
	// A transaction without value to oneself replaces a pending transaction, and gives nothing to anybody.
	else if (value > 0n || to !== from) checkRecipient(rules, to);
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
