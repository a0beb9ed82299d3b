import { formatWitnessAddresses, type WitnessTransaction } from '../../nodes/core';
import { checkMaxCoins } from './coins';
import { checkCall, checkRecipient } from './contractCalls';
import { listAllowed, throwForbidden, throwRefused } from './refusal';
import type { Rules } from './rules';

/** By which kind of the rules a kind of transaction is allowed. */
const ALLOWING_KINDS: Readonly<Record<string, string>> = { unfreeze: 'freeze' };

/** What nobody pays for with more than a little: thirty votes are half of it. */
const USUAL_SIZE_BYTES = 2000;
/** What a byte burns where the account has no bandwidth left, in the smallest unit. */
const SUN_PER_BYTE = 1000n;

interface Circumstances {
	/** 40 hex digits of who signs. */
	readonly account: string;
	/** How many bytes the transaction has: a long memo burns coins, whatever the fee limit says. */
	readonly size: number;
	/** In milliseconds since 1970, by the clock of n8n. */
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

const MINUTE_MS = 60_000n;

/** Until it expires, a transaction that was held back can still be sent. */
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

/** The last instant that a Date can be. */
const LAST_MS = 8_640_000_000_000_000n;

function formatTime(milliseconds: bigint): string {
	return milliseconds <= LAST_MS
		? new Date(Number(milliseconds)).toISOString()
		: 'a time later than the year 275760';
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
			if (parameters.call_token_value > 0n || parameters.token_id > 0n) return throwOtherTokens();
			checkAmount(rules, value);
			return checkCall(rules, { from: transaction.owner, to, data: `0x${data}`, value });
		}
		case 'assetTransfer':
			return throwOtherTokens();
		case 'freeze':
		case 'registration':
		case 'unfreeze':
		case 'vote':
			return;
	}
}

function checkAmount(rules: Rules, amount: bigint): void {
	checkMaxCoins(rules, 'witnessMaxAmount', amount, 'the transaction sends');
}

/** No rule says how many of them may leave. */
function throwOtherTokens(): never {
	throwRefused(
		'The transaction sends tokens of TRC-10, which this signer does not sign',
		'No rule could say how many of them may leave.',
	);
}

/** Keys of others may have a say in such a permission: what they make of a signature, no rule knows. */
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
