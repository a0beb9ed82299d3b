import {
	addHints,
	buildUnknownOutcome,
	formatExcerpt,
	SOMETHING_ELSE,
	stringifyExactJson,
	type PayingFamily,
	type PaymentOutcome,
	type RunContext,
	type SettleTerms,
	type SignedTransaction,
} from '../../../nodes/core';
import type { PreparedRequest } from '../core/prepared';
import type { PayRequest } from './family';
import { findOutcomeHint, formatPayment, redactOutcome, type DescribedPayment } from './payment';

/*
 * An error of an item means that nothing was signed. So all that happens to a payment behind its signature happens here, and
 * nothing is thrown from here, whatever fails: what cannot be found out is `unknown`, with the transaction that Finish takes.
 */

/** The outcome of a signed payment. */
export interface Settled {
	readonly outcome: PaymentOutcome;
	/** The signed transaction in the form of an item; null if nothing was signed. */
	readonly text: string | null;
}

/** Parses the output of the signer. Output that cannot be parsed is kept unchanged. */
export function takeSigned(
	family: PayingFamily<PreparedRequest>,
	answer: Readonly<Record<string, unknown>>,
): SignedTransaction {
	try {
		return family.takeSigned(answer);
	} catch (failure) {
		return {
			text: stringifyExactJson(answer),
			fields: {},
			settle: async () => await Promise.reject(failure),
			read: async () => await Promise.resolve(SOMETHING_ELSE),
		};
	}
}

/** Sends a signed payment, and follows it until its outcome is known. */
export async function followSigned(
	signed: SignedTransaction,
	terms: SettleTerms,
): Promise<Settled> {
	const { text } = signed;
	try {
		return { outcome: await signed.settle(terms), text };
	} catch (failure) {
		return { outcome: buildDefectOutcome(failure), text };
	}
}

/** Builds the item of a payment that was signed. */
export function buildItem(
	context: Pick<RunContext<PayRequest>, 'addHint' | 'redact'>,
	payment: DescribedPayment,
	settled: Settled,
	findHint: typeof findOutcomeHint = findOutcomeHint,
): Readonly<Record<string, unknown>> {
	try {
		return build(context, payment, settled, findHint);
	} catch (failure) {
		const outcome = buildDefectOutcome(failure);
		return build(context, { ...payment, facts: SOMETHING_ELSE }, { ...settled, outcome }, findHint);
	}
}

function build(
	context: Parameters<typeof buildItem>[0],
	payment: DescribedPayment,
	{ outcome, text }: Settled,
	findHint: typeof findOutcomeHint,
): Readonly<Record<string, unknown>> {
	const item = formatPayment(payment, redactOutcome(outcome, context.redact), text);
	addHints(context, [findHint(outcome), outcome.hint]);
	return item;
}

function buildDefectOutcome(failure: unknown): PaymentOutcome {
	const words = failure instanceof Error ? failure.message : String(failure);
	return buildUnknownOutcome(
		null,
		`It was signed, and what became of it could not be found out: ${formatExcerpt(words)}.`,
	);
}
