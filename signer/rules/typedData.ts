import { formatAddress, type Address } from './addresses';
import { checkTakesNonce } from './budget';
import { DAY_MS, formatTime, SECOND_MS } from './clock';
import { checkChain } from './evm';
import { checkParty } from './parties';
import { listAllowed, throwForbidden, throwRefused } from './refusal';
import type { Rules } from './rules';
import { checkTokenLimit } from './tokenLimits';
import type { TypedDataMove } from './typedDataMoves';

interface Circumstances {
	/** The signer. */
	readonly account: Address;
	/** The time in milliseconds since 1970, by n8n's clock. */
	readonly now: number;
}

/** Refuses typed data that no rule allows. The move is undefined for typed data that the rules can't read. */
export function checkTypedData(
	rules: Rules,
	move: TypedDataMove | undefined,
	circumstances: Circumstances,
): void {
	checkTakesNonce(rules, 'typed data');
	if (rules.allowTypedData) return;
	if (!move) return throwUnread(rules);
	checkKind(rules, move);
	const what = `the ${move.primaryType}`;
	checkChain(rules, move.chainId, what);
	checkOwner(move, circumstances);
	checkDeadline(move, circumstances);
	checkAmounts(rules, move);
	if (move.party) checkParty(rules, circumstances.account, move.party.role, move.party.address);
}

function throwUnread({ typedDataKinds }: Rules): never {
	if (typedDataKinds.length === 0) {
		throwForbidden('allowTypedData', {
			wants: 'typed data is to be signed',
			allowed: 'allowed: no typed data',
		});
	}
	throwForbidden('typedDataKinds', {
		wants: 'the typed data is not exactly of a kind that the rules can read',
		allowed: listAllowed(typedDataKinds),
	});
}

function checkKind({ typedDataKinds }: Rules, { kind, primaryType }: TypedDataMove): void {
	if (typedDataKinds.includes(kind)) return;
	throwForbidden('typedDataKinds', {
		wants: `the typed data is a ${primaryType}, of the kind ${kind}`,
		allowed: listAllowed(typedDataKinds),
	});
}

function checkOwner({ owner, primaryType }: TypedDataMove, { account }: Circumstances): void {
	if (owner === undefined || owner === account) return;
	throwRefused(
		`The ${primaryType} is about tokens of ${formatAddress(owner)}, and this signer is ${formatAddress(account)}`,
		'Make it for the account of the signer, or choose its credential.',
	);
}

/** A signature can be kept, and used until its deadline. */
function checkDeadline({ deadline, primaryType }: TypedDataMove, { now }: Circumstances): void {
	const latest = BigInt(now) + DAY_MS;
	if (deadline === undefined || deadline * SECOND_MS <= latest) return;
	throwRefused(
		`The ${primaryType} can be used until ${formatTime(deadline * SECOND_MS)}, which is more than a day from now`,
		`Give it a deadline of ${formatTime(latest)} at the latest.`,
	);
}

/** Several amounts of one token count by their sum. */
function checkAmounts({ tokenLimits }: Rules, { tokens, primaryType }: TypedDataMove): void {
	const sums = new Map<Address, bigint>();
	for (const { token, amount } of tokens) sums.set(token, (sums.get(token) ?? 0n) + amount);
	for (const [token, sum] of sums) {
		const limit = tokenLimits.get(token);
		if (limit) checkTokenLimit(limit, sum, primaryType, token);
		else throwUnlimited(token, primaryType, [...tokenLimits.keys()]);
	}
}

function throwUnlimited(token: Address, primaryType: string, limited: readonly Address[]): never {
	throwForbidden('tokenLimits', {
		wants: `the ${primaryType} is about ${formatAddress(token)}, which has no limit`,
		allowed: listAllowed(limited.map(formatAddress)),
	});
}
