import { decimalText, InvalidInput, witnessForms, type WitnessTransaction } from '../../nodes/core';
import { checkCall, checkRecipient } from './contractCalls';
import { forbidden, onlyThese } from './refusal';
import { SUN, type Rules } from './rules';

/** By which kind of the rules a kind of transaction is allowed. */
const ALLOWED_BY: Readonly<Record<string, string>> = { unfreeze: 'freeze' };

/** What nobody pays for with more than a little: thirty votes are half of it. */
const USUAL_SIZE = 2000;
/** What a byte burns where the account has no bandwidth left, in the smallest unit. */
const BYTE = 1000n;

/**
 * Refuses a transaction of the witness chain that a rule forbids. The account is 40 hex digits, the size that of its
 * bytes: a long memo burns coins, whatever the fee limit says.
 */
export function checkWitnessTransaction(
	rules: Rules,
	account: string,
	transaction: WitnessTransaction,
	size: number,
): void {
	const { kind, feeLimit, owner, permissionId } = transaction;
	if (owner !== `41${account}`) return notOwn(owner.slice(2), account);
	if (permissionId !== 0n) return notAlone(permissionId);
	if (!rules.witnessKinds.includes(ALLOWED_BY[kind] ?? kind)) {
		forbidden('witnessKinds', {
			wants: `the transaction is of the kind ${kind}`,
			allowed: onlyThese(rules.witnessKinds),
		});
	}
	const burned = BigInt(Math.max(size - USUAL_SIZE, 0)) * BYTE;
	checkMost(
		'witnessMaxFee',
		rules.witnessMaxFee,
		feeLimit + burned,
		burned > 0n
			? `the fee limit and the ${size} bytes of the transaction may burn`
			: 'the transaction has a fee limit of',
	);
	checkReceived(rules, transaction);
}

function checkReceived(rules: Rules, transaction: WitnessTransaction): void {
	switch (transaction.kind) {
		case 'transfer': {
			const { to_address: to, amount } = transaction.parameters;
			checkAmount(rules, amount);
			return checkRecipient(rules, to);
		}
		case 'contractCall': {
			const { parameters } = transaction;
			const { contract_address: to, call_value: value, data } = parameters;
			if (parameters.call_token_value > 0n || parameters.token_id > 0n) return otherTokens();
			checkAmount(rules, value);
			return checkCall(rules, { to, data: `0x${data}`, value });
		}
		case 'assetTransfer':
			return otherTokens();
		case 'freeze':
		case 'registration':
		case 'unfreeze':
		case 'vote':
			return;
	}
}

function checkAmount({ witnessMaxAmount }: Rules, amount: bigint): void {
	checkMost('witnessMaxAmount', witnessMaxAmount, amount, 'the transaction sends');
}

function checkMost(rule: string, most: bigint, amount: bigint, does: string): void {
	if (amount <= most) return;
	forbidden(rule, {
		wants: `${does} ${decimalText(amount, SUN)} coins`,
		allowed: `allowed: at most ${decimalText(most, SUN)}`,
	});
}

/** No rule says how many of them may leave. */
function otherTokens(): never {
	throw new InvalidInput(
		'The transaction sends tokens of TRC-10, which this signer does not sign',
		'No rule could say how many of them may leave. Nothing was signed.',
	);
}

/** Keys of others may have a say in such a permission: what they make of a signature, no rule knows. */
function notAlone(permission: bigint): never {
	throw new InvalidInput(
		`The transaction is for permission ${permission} of its account, and this signer signs for the owner's (0) alone`,
		'Build it without Permission_id. Nothing was signed.',
	);
}

function notOwn(owner: string, account: string): never {
	const [theirs, own] = [owner, account].map((one) => witnessForms(one).base58);
	throw new InvalidInput(
		`The owner of the transaction is ${theirs}, and this signer is ${own}`,
		'Build it for the account of the signer, or choose its credential. Nothing was signed.',
	);
}
