import {
	markHandled,
	readOnce,
	type MadePayment,
	type MadePayments,
	type OwnPayment,
	type PayingFamily,
	type PaymentMark,
	type PreparedPayment,
	type RunContext,
	sharedKey,
	type SignedTransaction,
} from '../../../nodes/core';
import { RuleRefusal } from '../../rules/refusal';
import type { PreparedRequest } from '../core/prepared';
import type { PayRequest } from './family';

const MINUTE_MS = 60_000;

interface Guarding {
	readonly family: PayingFamily<PreparedRequest>;
	readonly payer: string;
	/** For how many minutes an equal payment is refused; 0 refuses none. */
	readonly minutes: number;
	readonly mark: PaymentMark;
	readonly context: Pick<RunContext<PayRequest>, 'shared' | 'addHint' | 'wait'>;
}

const MADE_PAYMENT_READS = sharedKey(
	'pay.madePayments',
	() => new Map<string, Promise<MadePayments>>(),
);

/** A payment with the same payment ID that the account has already made. */
export interface FoundPayment {
	readonly signed: SignedTransaction;
	readonly hash: string;
	/** In milliseconds. */
	readonly age: number;
}

/**
 * Begins to read the account's earlier payments while a payment is prepared. With a payment ID, they are read
 * later, when the payment's number (nonce) is known. By then, a payment that another execution makes at the same
 * time is visible or has the same number.
 */
export function beginGuard(guarding: Guarding, token: string | null): void {
	if (guarding.minutes > 0 && !guarding.mark.isShared) markHandled(readMadeOnce(guarding, token));
}

/**
 * How far back a payment with the same ID is always searched for. It also applies if Guard is 0, because simultaneous executions begin some
 * seconds apart.
 */
const AT_ONCE_MINUTES = 2;

function countMinutes({ minutes, mark }: Guarding): number {
	return mark.isShared ? Math.max(minutes, AT_ONCE_MINUTES) : minutes;
}

/** Reads the account's earlier payments once for all items of a run. */
async function readMadeOnce(guarding: Guarding, token: string | null): Promise<MadePayments> {
	const { mark, context } = guarding;
	const minutes = countMinutes(guarding);
	const start = Date.now() - minutes * MINUTE_MS;
	return await readOnce(
		context.shared(MADE_PAYMENT_READS),
		`${minutes} ${mark.isShared} ${token ?? ''}`,
		async () => await readMade(guarding, token, start),
	);
}

type Compared = Pick<PreparedPayment<PreparedRequest>, 'compared'>;

/**
 * Refuses a payment if the account made an equal payment a short time ago. If that payment has the same payment ID, it is returned instead.
 */
export async function guardPayment(
	guarding: Guarding,
	{ compared }: Compared,
): Promise<FoundPayment | undefined> {
	const { minutes, mark, context } = guarding;
	if (minutes === 0 && !mark.isShared) return undefined;
	const { payments, since, hidesWaiting } = await readMadeOnce(guarding, compared.token);
	const now = Date.now();
	const start = now - minutes * MINUTE_MS;
	const same = payments.filter((made) => isSame(made, compared));
	const found = await findMarked(guarding, same);
	if (found) return found;
	const repeated = minutes > 0 ? same.find(({ time }) => time >= start) : undefined;
	if (repeated) throw repeatedError(repeated.hash, now - repeated.time);
	if (hidesWaiting) throw hiddenError();
	if (minutes > 0 && since > start + LEAST_GAP_MS) context.addHint(formatGap(minutes, now - since));
	return undefined;
}

/** Looks once more whether the account has made a payment with this ID. */
export async function findMade(
	guarding: Guarding,
	{ compared }: Compared,
): Promise<FoundPayment | undefined> {
	const start = Date.now() - AT_ONCE_MINUTES * MINUTE_MS;
	const { payments } = await readMade(guarding, compared.token, start);
	return await findMarked(
		guarding,
		payments.filter((made) => isSame(made, compared)),
	);
}

/** Finds the payment with the same ID among equal payments, which are few. */
async function findMarked(
	{ family, payer, mark }: Guarding,
	same: readonly MadePayment[],
): Promise<FoundPayment | undefined> {
	if (!mark.isShared) return undefined;
	for (const made of same) {
		const signed = await family.findMarked(payer, made, mark);
		if (signed) return { signed, hash: made.hash, age: Date.now() - made.time };
	}
	return undefined;
}

const HIDDEN_PAUSE_MS = 3_000;
const MAX_HIDDEN_READS = 10;

/** Reads the account's earlier payments. If the node hides pending transactions, it reads again until they are in a block. */
async function readMade(
	{ family, payer, context }: Guarding,
	token: string | null,
	start: number,
): Promise<MadePayments> {
	for (let read = 1; ; read++) {
		const made = await family.readMade(payer, token, start);
		if (!made.hidesWaiting || read === MAX_HIDDEN_READS) return made;
		await context.wait(HIDDEN_PAUSE_MS);
	}
}

/** The tolerance for the times of blocks, which are not exact. */
const LEAST_GAP_MS = MINUTE_MS;

function isSame(one: OwnPayment, other: OwnPayment): boolean {
	return (
		one.to === other.to &&
		one.token === other.token &&
		one.value === other.value &&
		(one.comment ?? '') === (other.comment ?? '')
	);
}

function repeatedError(hash: string, ageMs: number): RuleRefusal {
	return new RuleRefusal(
		`The same payment was made ${formatAge(ageMs)}: ${hash}`,
		'Nothing was signed. The account has paid the same amount of the same token to the same receiver. If it is to be paid once more, set the option Guard to 0 for this run.',
		'guard',
	);
}

function hiddenError(): RuleRefusal {
	return new RuleRefusal(
		'The account has pending transactions, and the chain node does not show what they pay',
		'Nothing was signed: the same payment may be among them. Run it again in a minute. With the option Guard on 0 and without a Payment ID nobody looks.',
		'guard',
	);
}

/** The refusal that a preview shows if the payment was already made and nothing would be signed. */
export function foundRefusal({ hash, age }: FoundPayment): RuleRefusal {
	return new RuleRefusal(
		`This payment was made ${formatAge(age)}, with the same Payment ID: ${hash}`,
		'Pay gives the outcome of that one, and signs nothing.',
		'guard',
	);
}

function formatAge(milliseconds: number): string {
	const minutes = Math.floor(Math.max(milliseconds, 0) / MINUTE_MS);
	if (minutes === 0) return 'less than a minute ago';
	return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
}

function formatGap(wanted: number, knownMs: number): string {
	const known = Math.floor(Math.max(knownMs, 0) / MINUTE_MS);
	return `The chain node knows the payments of this account for the last ${formatMinutes(known)} only, and Guard asks for ${wanted}. The same payment may have been made before.`;
}

function formatMinutes(minutes: number): string {
	return minutes === 1 ? 'minute' : `${minutes} minutes`;
}
