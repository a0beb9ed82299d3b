import { decodeMove, type TokenMove } from './calls';
import { listAllowed, throwForbidden } from './refusal';
import { formatAddress, type Address, type Rules } from './rules';

/** A call of a contract, on an EVM chain or on the witness chain. */
interface ContractCall {
	/** Who signs. */
	readonly from: Address;
	readonly to: Address;
	/** 0x-hex in lower case. */
	readonly data: string;
	/** Coins that go along, in the smallest unit. */
	readonly value: bigint;
}

/** A call of a function: whether it may be called, who gets something, and how much. */
export function checkCall(rules: Rules, call: ContractCall): void {
	const { to, value } = call;
	const move = decodeMove(call.data);
	if (!rules.anyContract && !rules.contracts.includes(to)) {
		checkTokenCall(rules, call, move);
	}
	// A contract that is named is trusted with what comes along; any other keeps it.
	if (value > 0n && !rules.contracts.includes(to)) checkRecipient(rules, to);
	if (move) checkMove(rules, to, move);
}

/** Without Contracts, a limit allows the functions of ERC-20; `transferFrom` for one's own tokens alone. */
function checkTokenCall(rules: Rules, { from, to, data }: ContractCall, move?: TokenMove): void {
	const isLimited = move?.isOfToken === true && rules.tokenLimits.has(to);
	const owner = move?.owner === undefined ? from : toAddressOnSameChain(to, move.owner);
	if (isLimited && owner === from) return;
	const called = move?.signature ?? `the function ${data.slice(0, SELECTOR_CHARS)}`;
	const about = owner === from ? '' : `, about tokens of ${formatAddress(owner)}`;
	throwForbidden('contracts', {
		wants: `the transaction calls ${called} of ${formatAddress(to)}${about}`,
		allowed: listAllowed(rules.contracts.map(formatAddress)),
	});
}

const SELECTOR_CHARS = 10;

function checkMove(rules: Rules, to: Address, move: TokenMove): void {
	const { amount, receiver, signature, takesBackOn } = move;
	const limit = rules.tokenLimits.get(to);
	// Without a limit, nobody knows whether a contract is a token or has NFTs.
	const isTakenBack =
		takesBackOn === 'anyContract' || (takesBackOn === 'tokens' && limit !== undefined);
	if (!isTakenBack) checkRecipient(rules, toAddressOnSameChain(to, receiver));
	if (limit !== undefined && (amount === 'all' || amount > limit)) {
		throwForbidden('tokenLimits', {
			wants: `${signature} of ${formatAddress(to)} is about ${amount === 'all' ? 'all of it' : amount}`,
			allowed: `allowed: at most ${limit} of its smallest unit`,
		});
	}
}

export function checkRecipient({ recipients }: Rules, receiver: Address): void {
	if (recipients.length === 0 || recipients.includes(receiver)) return;
	throwForbidden('recipients', {
		wants: `${formatAddress(receiver)} would receive`,
		allowed: listAllowed(recipients.map(formatAddress)),
	});
}

/** The address of these digits on the chain of another. */
function toAddressOnSameChain(other: Address, digits: string): Address {
	return other.slice(0, 2) + digits;
}
