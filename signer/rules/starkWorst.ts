import { FEE_DECIMALS, formatUnits } from '../../nodes/core';
import { formatUnspent } from './budget';
import { formatList } from './list';
import { formatChainId } from './stark';
import { formatFunctions, type AllowedFunctions } from './contracts';
import type { Policy } from './policy';
import { formatAmount } from './tokenLimits';

/** Says in one sentence the worst that somebody can do who may ask for any transaction. */
export function describeStarkWorst(rules: Policy): string {
	if (rules.chainIds.length === 0) return 'Someone who controls the workflow gets nothing signed.';
	const clauses = [describeFees(rules), ...describeTokens(rules), ...describeContracts(rules)];
	return `At worst, someone who controls the workflow can ${clauses.join('; ')}.`;
}

function describeFees({ budget, chainIds, maxFee }: Policy): string {
	const on = `on ${formatList(chainIds.map(formatChainId), MAX_LISTED)}`;
	if (maxFee === 0n) return `pay no fees ${on}`;
	const fee = formatUnits(maxFee, FEE_DECIMALS);
	if (!budget) return `spend all STRK on fees ${on}, ${fee} at a time`;
	const total = formatUnits(budget.daily * maxFee, FEE_DECIMALS);
	return `spend ${total} STRK a day (${budget.daily} × ${fee}) on fees ${on}${formatUnspent(budget)}`;
}

function describeTokens({ budget, recipients, spenders, tokenLimits }: Policy): string[] {
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

function describeContracts({ contracts: { any, named } }: Policy): string[] {
	const calls = [...named].map(([contract, functions]) => describeFunctions(contract, functions));
	return any
		? [...calls, 'call any function of any contract but the account, and so move every token']
		: calls;
}

function describeFunctions(contract: string, functions: AllowedFunctions): string {
	const names =
		functions === 'all' ? 'every function' : formatList(formatFunctions(functions), MAX_LISTED);
	return `call ${names} of ${contract}, whatever it moves`;
}

const MAX_LISTED = 3;
