import type { Address } from './addresses';
import { DAY_MS, formatDay, formatTime } from './clock';
import type { Authorization, Effects } from './effects';
import type { Policy } from './policy';
import { forbid } from './refusal';

/**
 * A token and a day, for which a fixed number of nonces is signed (EIP-3009). A token accepts each nonce once, so this limits the transfers
 * of a day without any stored count.
 */
interface DayOfToken {
	readonly token: Address;
	/** The day (UTC) on which an authorization ends, counted since 1970. */
	readonly day: bigint;
}

/** Derives 32 bytes from the secret of a credential and a text. */
export type Derive = (text: string) => Buffer;

const TAG_BYTES = 24;
const NUMBER_DIGITS = 16;

/** Computes the nonce with this number. The nonce ends with the number, so that `findNumber` can read it there. */
export function computeNonce(derive: Derive, { token, day }: DayOfToken, number: bigint): string {
	const tag = derive(`EIP-3009 ${token} ${day} ${number}`).toString('hex', 0, TAG_BYTES);
	return `0x${tag}${number.toString(16).padStart(NUMBER_DIGITS, '0')}`;
}

/** Returns the number of a nonce; undefined if it is not a nonce of this token and this day. */
export function findNumber(derive: Derive, ofDay: DayOfToken, nonce: string): bigint | undefined {
	const number = BigInt(`0x${nonce.slice(-NUMBER_DIGITS)}`);
	return computeNonce(derive, ofDay, number) === nonce ? number : undefined;
}

/** Refuses an authorization above the daily limit, and all typed data that the limit cannot count. */
export function checkAuthorization(policy: Policy, { authorization, kind }: Effects): void {
	const { dailyAuthorizations: daily } = policy;
	if (daily === undefined || !kind) return;
	if (kind.name !== 'transferWithAuthorization') forbidOtherTypedData(kind.wants);
	if (!authorization) return;
	checkWindow(authorization);
	checkNumber(daily, authorization);
}

/** Refuses typed data that could be used any number of times on a day. */
export function forbidOtherTypedData(wants: string): never {
	forbid(RULE, { wants, allowed: 'Allowed: authorizations of EIP-3009' });
}

const RULE = 'dailyAuthorizations';

/** Refuses an authorization that is valid before its day begins, because it could be used in addition to those of the day before. */
function checkWindow({ day, validAfter }: Authorization): void {
	const start = day * DAY_MS;
	if (validAfter >= start) return;
	forbid(RULE, {
		wants: `the authorization ends on ${formatDay(day)} (UTC) and can be used from ${formatTime(validAfter)} on`,
		allowed: `Allowed: from ${formatTime(start)} on`,
	});
}

const LISTED_NONCES = 3n;

function checkNumber(daily: bigint, { day, nonce, nonceAt, number }: Authorization): void {
	if (number !== undefined && number < daily) return;
	const listed = daily < LISTED_NONCES ? daily : LISTED_NONCES;
	const nonces = Array.from({ length: Number(listed) }, (_, at) => nonceAt(BigInt(at)));
	const more = daily > listed ? ` and ${daily - listed} more` : '';
	forbid(RULE, {
		wants: `the authorization has the nonce ${nonce}`,
		allowed: `Allowed on ${formatDay(day)} (UTC): ${nonces.join(', ')}${more}`,
	});
}
