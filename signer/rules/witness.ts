import { formatWitnessAddresses, type WitnessTransaction } from '../../nodes/core';
import { checkTakesNonce } from './budget';
import { checkCall } from './callRules';
import { formatTime, MINUTE_MS } from './clock';
import { checkMaxCoins } from './coins';
import { checkRecipient } from './parties';
import { listAllowed, throwForbidden, throwRefused } from './refusal';
import type { Rules } from './rules';

/** The kind of the rules that allows each kind of transaction. */
const ALLOWING_KINDS: Readonly<Record<string, string>> = {
	undelegate: 'delegate',
	unfreeze: 'freeze',
};

/** The size up to which a transaction costs little: thirty votes are half of it. */
const USUAL_SIZE_BYTES = 2000;
/** The price of a byte for an account without bandwidth, in the smallest unit. */
const SUN_PER_BYTE = 1000n;
/** The coins that bytes may burn though no rule counts them. */
export const USUAL_BYTES_SUN = BigInt(USUAL_SIZE_BYTES) * SUN_PER_BYTE;

interface Circumstances {
	/** The signer in 40 hex digits. */
	readonly account: string;
	/** The size of the transaction in bytes: a long memo burns coins, whatever the fee limit. */
	readonly size: number;
	/** The time in milliseconds since 1970, by n8n's clock. */
	readonly now: number;
}

/** Refuses a transaction of the witness chain that a rule forbids. */
export function checkWitnessTransaction(
	rules: Rules,
	transaction: WitnessTransaction,
	{ account, size, now }: Circumstances,
): void {
	const { kind, expiration, feeLimit, owner, permissionId } = transaction;
	if (owner !== `41${account}`) throwNotOwn(owner.slice(2), account);
	if (permissionId !== 0n) throwNotAlone(permissionId);
	if (!rules.witnessKinds.includes(ALLOWING_KINDS[kind] ?? kind)) {
		throwForbidden('witnessKinds', {
			wants: `the transaction is of the kind ${kind}`,
			allowed: listAllowed(rules.witnessKinds),
		});
	}
	checkTakesNonce(rules, 'a transaction of the witness chain');
	checkExpiry(rules, expiration, now);
	const burned = BigInt(Math.max(size - USUAL_SIZE_BYTES, 0)) * SUN_PER_BYTE;
	checkMaxCoins(
		rules,
		'witnessMaxFee',
		feeLimit + burned,
		burned > 0n
			? `the fee limit and the ${size} bytes of the transaction may burn`
			: 'the transaction has a fee limit of',
	);
	checkReceived(rules, transaction);
}

/** A transaction that was held back can be sent until it expires. */
function checkExpiry({ witnessMaxExpiry: most }: Rules, expiration: bigint, now: number): void {
	const present = BigInt(now);
	const latest = present + most * MINUTE_MS;
	if (expiration <= latest) return;
	const minutes = (expiration - present + MINUTE_MS - 1n) / MINUTE_MS;
	throwForbidden('witnessMaxExpiry', {
		wants: `the transaction expires ${minutes} minutes from now, at ${formatTime(expiration)}`,
		allowed: `allowed: at most ${most} minutes, until ${formatTime(latest)}`,
	});
}

function checkReceived(rules: Rules, transaction: WitnessTransaction): void {
	switch (transaction.kind) {
		case 'transfer': {
			const { to_address: to, amount } = transaction.parameters;
			checkAmount(rules, amount);
			return checkRecipient(rules, transaction.owner, to);
		}
		case 'contractCall': {
			const { parameters } = transaction;
			const { contract_address: to, call_value: value, data } = parameters;
			if (parameters.call_token_value > 0n || parameters.token_id > 0n) return throwOtherTokens();
			checkAmount(rules, value);
			return checkCall(rules, { from: transaction.owner, to, data: `0x${data}`, value });
		}
		case 'assetTransfer':
			return throwOtherTokens();
		case 'delegate':
			return checkRecipient(rules, transaction.owner, transaction.parameters.receiver_address);
		case 'freeze':
		case 'registration':
		case 'undelegate':
		case 'unfreeze':
		case 'vote':
		case 'withdraw':
			return;
	}
}

function checkAmount(rules: Rules, amount: bigint): void {
	checkMaxCoins(rules, 'witnessMaxAmount', amount, 'the transaction sends');
}

/** No rule limits the amount of these tokens. */
function throwOtherTokens(): never {
	throwRefused(
		'The transaction sends tokens of TRC-10, which this signer does not sign',
		'No rule could say how many of them may leave.',
	);
}

/** Keys of others may share such a permission: no rule covers what they do with a signature. */
function throwNotAlone(permission: bigint): never {
	throwRefused(
		`The transaction is for permission ${permission} of its account, and this signer signs for the owner's (0) alone`,
		'Build it without Permission_id.',
	);
}

function throwNotOwn(owner: string, account: string): never {
	const [theirs, own] = [owner, account].map((one) => formatWitnessAddresses(one).base58);
	throwRefused(
		`The owner of the transaction is ${theirs}, and this signer is ${own}`,
		'Build it for the account of the signer, or choose its credential.',
	);
}
