import {
	computeHighestFee,
	decodeShortString,
	encodeFelt,
	FEE_DECIMALS,
	formatFelt,
	formatUnits,
} from '../../nodes/core';
import { checkBudget } from './budget';
import { listAllowed, throwForbidden } from './refusal';
import type { StarkAddress } from './starkAddresses';
import { decodeCalls, type StarkCall } from './starkCalls';
import { allowsStarkCall, listAllowedStarkCalls } from './starkContracts';
import { formatBounds, type StarkInvoke } from './starkInvoke';
import { decodeStarkMove, type StarkMove } from './starkMoves';
import type { StarkRules } from './starkRules';
import { formatAmount, formatTokenAmount } from './tokenLimits';

/** Refuses a transaction that a rule forbids; `now` is in milliseconds since 1970. */
export function checkStarkInvoke(rules: StarkRules, invoke: StarkInvoke, now: number): void {
	checkChain(rules, invoke);
	checkBudget(rules.budget, invoke.nonce, now, 'nonce');
	checkFee(rules, invoke);
	const own = formatFelt(invoke.sender);
	const calls = decodeCalls(invoke.calldata).map((call) => ({ call, move: decodeStarkMove(call) }));
	for (const one of calls) checkCall(rules, own, one);
	checkTokenLimits(rules, calls);
}

/** Formats the ID as its owner writes it. */
export function formatChainId(id: bigint): string {
	return decodeShortString(id) ?? encodeFelt(id);
}

function checkChain({ chainIds }: StarkRules, { chainId }: StarkInvoke): void {
	if (chainIds.includes(chainId)) return;
	throwForbidden('chainIds', {
		wants: `the transaction is for chain ${formatChainId(chainId)}`,
		allowed: listAllowed(chainIds.map(formatChainId)),
	});
}

function checkFee({ maxFee }: StarkRules, { bounds, tip }: StarkInvoke): void {
	const fee = computeHighestFee(formatBounds(bounds), tip);
	if (fee <= maxFee) return;
	throwForbidden('maxFee', {
		wants: `the transaction offers a fee of ${formatUnits(fee, FEE_DECIMALS)} STRK`,
		allowed: `allowed: at most ${formatUnits(maxFee, FEE_DECIMALS)}`,
	});
}

interface ReadCall {
	readonly call: StarkCall;
	readonly move: StarkMove | undefined;
}

function checkCall(rules: StarkRules, own: StarkAddress, one: ReadCall): void {
	const { call, move } = one;
	if (!allowsStarkCall(rules.contracts, call, own)) checkTokenCall(rules, own, one);
	if (!move) return;
	const { takesBackOn } = move;
	// Without a limit, nobody knows whether a contract is a token or has NFTs.
	const isTakenBack =
		takesBackOn === 'anyContract' || (takesBackOn === 'tokens' && rules.tokenLimits.has(call.to));
	if (!isTakenBack) checkParty(rules, own, move);
}

/** Without Contracts, a limit allows the functions of ERC-20; `transfer_from` only for the signer's own tokens. */
function checkTokenCall(rules: StarkRules, own: StarkAddress, { call, move }: ReadCall): void {
	const { to, selector } = call;
	const owner = move?.owner ?? own;
	if (move?.isOfToken === true && rules.tokenLimits.has(to) && owner === own) return;
	const called = move?.functionName ?? `the function with the selector ${encodeFelt(selector)}`;
	const about = owner === own ? '' : `, about tokens of ${owner}`;
	throwForbidden('contracts', {
		wants: `the transaction calls ${called} of ${to}${about}`,
		allowed: listAllowedStarkCalls(rules.contracts, to),
	});
}

/** Without Spenders, whoever may receive may also be approved. */
function checkParty(rules: StarkRules, own: StarkAddress, { party, role }: StarkMove): void {
	const isSpender = role === 'spender';
	if (!isSpender && party === own) return;
	const rule = isSpender && rules.spenders.length > 0 ? 'spenders' : 'recipients';
	const allowed = rules[rule];
	if (allowed.length === 0 || allowed.includes(party)) return;
	throwForbidden(rule, {
		wants: `${party} would ${isSpender ? 'be allowed to take tokens' : 'receive'}`,
		allowed: listAllowed(allowed),
	});
}

/** The limits are for the sum of all calls, transfers and approvals together. */
function checkTokenLimits({ tokenLimits }: StarkRules, calls: readonly ReadCall[]): void {
	for (const [token, limit] of tokenLimits) {
		const amounts = calls
			.filter(({ call }) => call.to === token)
			.map(({ move }) => move?.amount ?? 0n);
		const sum = sumAmounts(amounts);
		if (sum !== 'all' && sum <= limit.most) continue;
		const wanted = sum === 'all' ? 'all of it, or an NFT' : formatAmount(sum, limit);
		throwForbidden('tokenLimits', {
			wants: `the calls of ${token} are about ${wanted}`,
			allowed: `allowed: at most ${formatTokenAmount(limit.most, limit)}`,
		});
	}
}

function sumAmounts(amounts: ReadonlyArray<bigint | 'all'>): bigint | 'all' {
	let sum = 0n;
	for (const amount of amounts) {
		if (amount === 'all') return 'all';
		sum += amount;
	}
	return sum;
}
