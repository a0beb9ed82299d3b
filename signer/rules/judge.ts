import { formatUnits } from '../../nodes/core';
import { formatAddress, type Address } from './addresses';
import { checkAuthorization } from './authorizations';
import { checkBudget, checkCounted, checkFirstNonce, checkTakesNonce } from './budget';
import { formatTime, MINUTE_MS } from './clock';
import { allowsCall, listAllowedCalls, namesCall } from './contracts';
import type { Approval, Call, Effects, Move, Spent } from './effects';
import type { Policy } from './policy';
import { allowsAll, formatRecipients, isRecipient } from './recipients';
import { listAllowed, forbid, refuse } from './refusal';
import { checkSweep } from './sweep';
import { formatAmount, formatTokenAmount } from './tokenLimits';

/** Throws if the rules forbid a request on any chain; `now` is in milliseconds since 1970. */
export function judge(policy: Policy, effects: Effects, now: number): void {
	checkAuthorization(policy, effects);
	checkKind(policy, effects);
	checkChain(policy, effects);
	checkNonce(policy, effects, now);
	checkExpiry(policy, effects, now);
	checkSpent(policy, 'amount', effects.coins);
	checkSpent(policy, 'fee', effects.fee);
	checkDeployment(policy, effects);
	for (const call of effects.calls) checkCall(policy, effects.own, call);
	for (const { receivers } of effects.moves)
		for (const receiver of receivers) checkReceiver(policy, effects.own, receiver);
	for (const approval of effects.approvals) checkApproval(policy, approval);
	checkTokenLimits(policy, effects);
	checkSweep(policy, effects);
	const { unbounded } = effects;
	if (unbounded) refuse(unbounded.why, unbounded.advice);
}

function checkKind({ family, kinds = [] }: Policy, { kind }: Effects): void {
	if (!kind || kinds.includes(kind.name)) return;
	forbid(family.rules.kinds, { wants: kind.wants, allowed: listAllowed(kinds) });
}

function checkChain({ family, chainIds }: Policy, { chain }: Effects): void {
	if (!chain || chainIds.includes(chain.id)) return;
	forbid('chainIds', {
		wants: chain.wants,
		allowed: listAllowed(chainIds.map(family.formatChainId)),
	});
}

function checkNonce({ family, budget }: Policy, { nonce }: Effects, now: number): void {
	if (typeof nonce !== 'bigint') return checkTakesNonce(budget, nonce.noneOf);
	const { counted } = family;
	if (!counted) return checkCounted(budget, nonce);
	checkBudget(budget, nonce, now, counted.name);
	if (counted.areOfOthers) checkFirstNonce(budget, nonce, counted.name);
}

/** Refuses a transaction that expires too late, because somebody could keep it and send it then. */
function checkExpiry({ family, maxExpiry: most }: Policy, { expiry }: Effects, now: number): void {
	if (most === undefined || expiry === undefined) return;
	const present = BigInt(now);
	const latest = present + most * MINUTE_MS;
	if (expiry <= latest) return;
	const minutes = (expiry - present + MINUTE_MS - 1n) / MINUTE_MS;
	forbid(family.rules.expiry, {
		wants: `the transaction expires ${minutes} minutes from now, at ${formatTime(expiry)}`,
		allowed: `Allowed: at most ${most} minutes, until ${formatTime(latest)}`,
	});
}

function checkSpent(policy: Policy, what: 'amount' | 'fee', spent: Spent | undefined): void {
	const { family, maxAmount, maxFee } = policy;
	const most = what === 'amount' ? maxAmount : maxFee;
	if (!spent || most === 'unlimited' || (spent.amount !== 'all' && spent.amount <= most)) return;
	forbid(family.rules[what], {
		wants: spent.wants,
		allowed: `Allowed: at most ${formatUnits(most, family.coinDecimals)}`,
	});
}

/** Checks the deployment of a contract. Its code may send the coins that it receives to anybody. */
function checkDeployment(
	{ allowDeployments, family, recipients }: Policy,
	{ deployment }: Effects,
): void {
	if (!deployment) return;
	if (!allowDeployments) {
		forbid('allowDeployments', {
			wants: 'the transaction deploys a contract',
			allowed: 'Allowed: no deployments',
		});
	}
	if (deployment.amount > 0n && !allowsAll(recipients)) {
		forbid(family.rules.recipients, {
			wants: deployment.wants,
			allowed: listAllowed(formatRecipients(recipients)),
		});
	}
}

function checkCall(policy: Policy, own: Address, call: Call): void {
	const { contracts, family } = policy;
	const { to, wants } = call;
	const mayCall = family.obeysItself ? to !== own : true;
	if (wants !== undefined && !allowsCall(contracts, call, mayCall) && !isLimited(policy, call)) {
		forbid(family.rules.contracts, { wants, allowed: listAllowedCalls(contracts, to) });
	}
	if (!isTrustedWithCoins(policy, call)) checkReceiver(policy, own, to);
}

/** Whether a token limit allows the call. An address with a limit is a token. */
function isLimited({ tokenLimits }: Policy, { needsLimitOnly = false, to }: Call): boolean {
	return needsLimitOnly && tokenLimits.has(to);
}

function isTrustedWithCoins(policy: Policy, call: Call): boolean {
	switch (call.coinsFor) {
		case 'nothing':
			return true;
		case 'recipient':
			return false;
		case 'contract':
			return namesCall(policy.contracts, call);
		case 'contractOrToken':
			return namesCall(policy.contracts, call) || isLimited(policy, call);
	}
}

/** Checks the receiver of a payment. The account may always pay itself. */
function checkReceiver(policy: Policy, own: Address, receiver: Address): void {
	if (receiver !== own) checkRecipient(policy, receiver);
}

function checkRecipient({ family, recipients }: Policy, receiver: Address): void {
	if (allowsAll(recipients) || isRecipient(recipients, receiver)) return;
	forbid(family.rules.recipients, {
		wants: `${formatAddress(receiver)} would receive`,
		allowed: listAllowed(formatRecipients(recipients)),
	});
}

/**
 * Checks who may take tokens: the accounts in Spenders, or the recipients if Spenders is empty. The account itself
 * needs the same permission as others.
 */
function checkApproval(policy: Policy, { revokesOn, spender, token }: Approval): void {
	const { spenders, tokenLimits } = policy;
	// Without a limit, nobody knows whether a contract is a token or has NFTs.
	if (revokesOn === 'anyContract' || (revokesOn === 'tokens' && tokenLimits.has(token))) return;
	if (spenders.length === 0) return checkRecipient(policy, spender);
	if (spenders.includes(spender)) return;
	forbid('spenders', {
		wants: `${formatAddress(spender)} would be allowed to take tokens`,
		allowed: listAllowed(spenders.map(formatAddress)),
	});
}

type Tokens = Move | Approval;

/** Checks each limit against the sum of all transfers and approvals of its token. */
function checkTokenLimits(policy: Policy, { approvals, moves }: Effects): void {
	const byToken = new Map<Address, Tokens[]>();
	for (const one of [...moves, ...approvals]) {
		const sameToken = byToken.get(one.token);
		if (sameToken) sameToken.push(one);
		else byToken.set(one.token, [one]);
	}
	for (const [token, all] of byToken) checkTokenLimit(policy, token, all);
}

function checkTokenLimit(policy: Policy, token: Address, all: readonly Tokens[]): void {
	const { family, tokenLimits } = policy;
	const limit = tokenLimits.get(token);
	if (!limit) return checkLimitNeeded(policy, all);
	const sum = sumAmounts(all);
	const [first] = all;
	if (!first || (sum !== 'all' && sum <= limit.most)) return;
	forbid(family.rules.limits, {
		wants: first.about(sum === 'all' ? undefined : formatAmount(sum, limit)),
		allowed: `Allowed: at most ${formatTokenAmount(limit.most, limit)}`,
	});
}

/** Refuses typed data about a token that has no limit. For typed data, an entry in Contracts is not enough. */
function checkLimitNeeded({ family, tokenLimits }: Policy, all: readonly Tokens[]): void {
	const needing = all.find(({ unlimited }) => unlimited !== undefined);
	if (!needing?.unlimited) return;
	forbid(family.rules.limits, {
		wants: needing.unlimited(),
		allowed: listAllowed([...tokenLimits.keys()].map(formatAddress)),
	});
}

function sumAmounts(all: readonly Tokens[]): bigint | 'all' {
	return all.reduce<bigint | 'all'>(
		(sum, { amount }) => (sum === 'all' || amount === 'all' ? 'all' : sum + amount),
		0n,
	);
}
