import { formatAddress, toAddressOnSameChain } from './addresses';
import { allowsCall, getSelector, listAllowedCalls, namesCall, type Call } from './contracts';
import { checkParty, checkRecipient } from './parties';
import { throwForbidden } from './refusal';
import type { Rules } from './rules';
import { checkTokenLimit } from './tokenLimits';
import { decodeMove, type TokenMove } from './tokenMoves';

interface PaidCall extends Call {
	/** Coins that are sent along, in the smallest unit. */
	readonly value: bigint;
}

/** Checks a call: whether the function may be called, who receives something, and how much. */
export function checkCall(rules: Rules, call: PaidCall): void {
	const { from, to, data, value } = call;
	const move = decodeMove(data);
	if (!allowsCall(rules.contracts, call)) checkTokenCall(rules, call, move);
	// A contract that the rules name is trusted with the coins sent along; any other contract is their recipient.
	if (value > 0n && !namesCall(rules.contracts, to, data)) checkRecipient(rules, from, to);
	if (move) checkMove(rules, call, move);
}

/** Without Contracts, a limit allows the functions of ERC-20; `transferFrom` only for the signer's own tokens. */
function checkTokenCall(rules: Rules, { from, to, data }: PaidCall, move?: TokenMove): void {
	const isLimited = move?.isOfToken === true && rules.tokenLimits.has(to);
	const owner = move?.owner === undefined ? from : toAddressOnSameChain(to, move.owner);
	if (isLimited && owner === from) return;
	const called = move?.signature ?? `the function ${getSelector(data)}`;
	const about = owner === from ? '' : `, about tokens of ${formatAddress(owner)}`;
	throwForbidden('contracts', {
		wants: `the transaction calls ${called} of ${formatAddress(to)}${about}`,
		allowed: listAllowedCalls(rules.contracts, to),
	});
}

function checkMove(rules: Rules, { from, to }: Call, move: TokenMove): void {
	const { amount, party, role, signature, takesBackOn } = move;
	const limit = rules.tokenLimits.get(to);
	// Without a limit, nobody knows whether a contract is a token or has NFTs.
	const isTakenBack =
		takesBackOn === 'anyContract' || (takesBackOn === 'tokens' && limit !== undefined);
	if (!isTakenBack) checkParty(rules, from, role, toAddressOnSameChain(to, party));
	if (limit) checkTokenLimit(limit, amount, signature, to);
}
