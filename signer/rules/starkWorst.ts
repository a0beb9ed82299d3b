import { FEE_DECIMALS, formatUnits } from '../../nodes/core';
import { formatUnspent } from './budget';
import { formatList } from './list';
import { formatChainId } from './stark';
import type { StarkFunctions } from './starkContracts';
import type { StarkRules } from './starkRules';
import { formatAmount } from './tokenLimits';

/** Says in one sentence the worst that somebody can do who may ask for any transaction. */
export function describeStarkWorst(rules: StarkRules): string {
	if (rules.chainIds.length === 0) return 'Someone who controls the workflow gets nothing signed.';
	const clauses = [describeFees(rules), ...describeTokens(rules), ...describeContracts(rules)];
	return `At worst, someone who controls the workflow can ${clauses.join('; ')}.`;
}

function describeFees({ budget, chainIds, maxFee }: StarkRules): string {
	const on = `on ${formatList(chainIds.map(formatChainId), MAX_LISTED)}`;
	if (maxFee === 0n) return `pay no fees ${on}`;
	const fee = formatUnits(maxFee, FEE_DECIMALS);
	if (!budget) return `spend all STRK on fees ${on}, ${fee} at a time`;
	const total = formatUnits(budget.daily * maxFee, FEE_DECIMALS);
	return `spend ${total} STRK a day (${budget.daily} × ${fee}) on fees ${on}${formatUnspent(budget)}`;
}

function describeTokens({ budget, recipients, spenders, tokenLimits }: StarkRules): string[] {
	const parties = [...new Set([...recipients, ...spenders])];
	const whom = recipients.length > 0 ? `, for ${formatList(parties, MAX_LISTED)} only` : '';
	return [...tokenLimits].map(([token, limit]) => {
		const name = `${limit.decimals === undefined ? 'smallest units' : 'tokens'} of ${token}`;
		const each = formatAmount(limit.most, limit);
		if (!budget) return `take all ${name}, ${each} at a time${whom}`;
		const total = formatAmount(budget.daily * limit.most, limit);
		return `take ${total} ${name} a day (${budget.daily} × ${each})${formatUnspent(budget)}${whom}`;
	});
}

function describeContracts({ contracts: { any, named } }: StarkRules): string[] {
	const calls = [...named].map(([contract, functions]) => describeFunctions(contract, functions));
	return any
		? [...calls, 'call any function of any contract but the account, and so move every token']
		: calls;
}

function describeFunctions(contract: string, functions: StarkFunctions): string {
	const names =
		functions === 'all' ? 'every function' : formatList([...functions.values()], MAX_LISTED);
	return `call ${names} of ${contract}, whatever it moves`;
}

const MAX_LISTED = 3;
