import { decodeMove, type TokenMove } from './calls';
import { listAllowed, throwForbidden } from './refusal';
import { formatAddress, type Address, type Rules } from './rules';

/** A call of a contract, on an EVM chain or on the witness chain. */
interface ContractCall {
	/** The signer. */
	readonly from: Address;
	readonly to: Address;
	/** The data as 0x-hex in lower case. */
	readonly data: string;
	/** Coins that are sent along, in the smallest unit. */
	readonly value: bigint;
}

/** Checks a call: whether the function may be called, who receives something, and how much. */
export function checkCall(rules: Rules, call: ContractCall): void {
	const { to, value } = call;
	const move = decodeMove(call.data);
	if (!rules.anyContract && !rules.contracts.includes(to)) {
		checkTokenCall(rules, call, move);
	}
	// A contract that the rules name is trusted with the coins sent along; any other contract is their recipient.
	if (value > 0n && !rules.contracts.includes(to)) checkRecipient(rules, to);
	if (move) checkMove(rules, to, move);
}

/** Without Contracts, a limit allows the functions of ERC-20; `transferFrom` only for the signer's own tokens. */
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

/** Returns the address with these digits on the same chain as the other. */
function toAddressOnSameChain(other: Address, digits: string): Address {
	return other.slice(0, 2) + digits;
}
