import { moveOf } from './calls';
import { forbidden, onlyThese } from './refusal';
import { shown, type Address, type Rules } from './rules';

/** A call of a contract, on an EVM chain or on the witness chain. */
interface ContractCall {
	readonly to: Address;
	/** 0x-hex in lower case. */
	readonly data: string;
	/** Coins that go along, in the smallest unit. */
	readonly value: bigint;
}

/** A call of a function: whether it may be called, who gets something, and how much. */
export function checkCall(rules: Rules, call: ContractCall): void {
	const { to, data } = call;
	const move = moveOf(data);
	const limit = rules.tokenLimits.get(to);
	const isNamed = rules.contracts.includes(to);
	const isToken = limit !== undefined && move?.isOfToken === true;
	if (!isNamed && !rules.anyContract && !isToken) {
		forbidden('contracts', {
			wants: `the transaction calls ${move?.signature ?? selectorOf(data)} of ${shown(to)}`,
			allowed: onlyThese(rules.contracts.map(shown)),
		});
	}
	// A contract that is named is trusted with what comes along; any other keeps it.
	if (call.value > 0n && !isNamed) checkRecipient(rules, to);
	if (!move) return;
	checkRecipient(rules, onChainOf(to, move.receiver));
	const { amount, signature } = move;
	if (limit !== undefined && (amount === 'all' || amount > limit)) {
		forbidden('tokenLimits', {
			wants: `${signature} of ${shown(to)} is about ${amount === 'all' ? 'all of it' : amount}`,
			allowed: `allowed: at most ${limit} of its smallest unit`,
		});
	}
}

export function checkRecipient({ recipients }: Rules, receiver: Address): void {
	if (recipients.length === 0 || recipients.includes(receiver)) return;
	forbidden('recipients', {
		wants: `${shown(receiver)} would receive`,
		allowed: onlyThese(recipients.map(shown)),
	});
}

/** The address of these digits on the chain of another. */
function onChainOf(other: Address, digits: string): Address {
	return other.slice(0, 2) + digits;
}

/** `the function 0x12345678` */
function selectorOf(data: string): string {
	return `the function ${data.slice(0, 10)}`;
}
