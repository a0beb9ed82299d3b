import { type MadePayments, type OwnPayment } from '../../../nodes/core';
import { RuleRefusal } from '../../rules/refusal';
import type { PayingFamily, PreparedPayment } from './families/family';

const MINUTE_MS = 60_000;

interface Guarding {
	readonly family: PayingFamily;
	readonly payer: string;
	/** How many minutes back; 0 does not look. */
	readonly minutes: number;
	/** A value that all items of the run share. */
	shared<T>(create: () => T): T;
	addHint(message: string): void;
}

const createReads = () => new Map<string, Promise<MadePayments>>();

/** Refuses a payment that the account has made lately: most often it is a run that is repeated. */
export async function guardPayment(
	{ family, payer, minutes, shared, addHint }: Guarding,
	{ compared }: Pick<PreparedPayment, 'compared'>,
): Promise<void> {
	if (minutes === 0) return;
	const reads = shared(createReads);
	const now = Date.now();
	const start = now - minutes * MINUTE_MS;
	const key = `${minutes} ${compared.token ?? ''}`;
	const reading = reads.get(key) ?? family.readMade(payer, compared.token, start);
	reads.set(key, reading);
	const { payments, since } = await reading;
	const same = payments.find((made) => isSame(made, compared));
	if (same) throw repeatedError(same.hash, now - same.time);
	if (since > start + LEAST_GAP_MS) addHint(formatGap(minutes, now - since));
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

function formatAge(milliseconds: number): string {
	const minutes = Math.floor(Math.max(milliseconds, 0) / MINUTE_MS);
	if (minutes === 0) return 'less than a minute ago';
	return minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`;
}

function formatGap(wanted: number, knownMs: number): string {
	const known = Math.floor(Math.max(knownMs, 0) / MINUTE_MS);
	return `The node knows the payments of this account for the last ${known} minutes only, and Guard asks for ${wanted}. The same payment may have been made before.`;
}
