import {
	markHandled,
	readOnce,
	type MadePayments,
	type OwnPayment,
	type RunContext,
	sharedKey,
} from '../../../nodes/core';
import { RuleRefusal } from '../../rules/refusal';
import type { PayingFamily, PayRequest, PreparedPayment } from './families/family';

const MINUTE_MS = 60_000;

interface Guarding {
	readonly family: PayingFamily;
	readonly payer: string;
	/** How many minutes back; 0 does not look. */
	readonly minutes: number;
	readonly context: Pick<RunContext<PayRequest>, 'shared' | 'addHint' | 'wait'>;
}

const MADE_PAYMENT_READS = sharedKey(
	'pay.madePayments',
	() => new Map<string, Promise<MadePayments>>(),
);

/** Begins to read what a payment is compared with, while it is prepared. */
export function beginGuard(guarding: Guarding, token: string | null): void {
	if (guarding.minutes > 0) markHandled(readMadeOnce(guarding, token));
}

/** The items of a run share what is read. */
async function readMadeOnce(guarding: Guarding, token: string | null): Promise<MadePayments> {
	const { minutes, context } = guarding;
	const start = Date.now() - minutes * MINUTE_MS;
	return await readOnce(
		context.shared(MADE_PAYMENT_READS),
		`${minutes} ${token ?? ''}`,
		async () => await readMade(guarding, token, start),
	);
}

/** Refuses a payment that the account has made lately: most often it is a run that is repeated. */
export async function guardPayment(
	guarding: Guarding,
	{ compared }: Pick<PreparedPayment, 'compared'>,
): Promise<void> {
	const { minutes, context } = guarding;
	if (minutes === 0) return;
	const { payments, since, hidesWaiting } = await readMadeOnce(guarding, compared.token);
	const now = Date.now();
	const start = now - minutes * MINUTE_MS;
	const same = payments.find((made) => isSame(made, compared));
	if (same) throw repeatedError(same.hash, now - same.time);
	if (hidesWaiting) throw hiddenError();
	if (since > start + LEAST_GAP_MS) context.addHint(formatGap(minutes, now - since));
}

const HIDDEN_PAUSE_MS = 3_000;
const MAX_HIDDEN_READS = 10;

/** Pending transactions that are not shown are soon in a block: they are read again until then. */
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

/** The times of blocks are not exact. */
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
		'The account has pending transactions, and the node does not show what they pay',
		'Nothing was signed: the same payment may be among them. Run it again in a minute, or set the option Guard to 0 for this run.',
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
	return `The node knows the payments of this account for the last ${formatMinutes(known)} only, and Guard asks for ${wanted}. The same payment may have been made before.`;
}

function formatMinutes(minutes: number): string {
	return minutes === 1 ? 'minute' : `${minutes} minutes`;
}
