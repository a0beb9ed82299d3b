import {
	FAMILIES,
	FINISH_ADVICE,
	formatUnits,
	quoteSymbol,
	type PaymentOutcome,
	type Family,
	type SignedPayment,
} from '../../../nodes/core';

/** The facts about a payment that do not depend on its outcome. */
export interface DescribedPayment {
	/** The user's own text; null if there is none. */
	readonly paymentId: string | null;
	readonly chain: Family;
	readonly facts: SignedPayment;
	/** How its summary begins. */
	readonly words?: OutcomeWords;
}

type OutcomeWords = Readonly<Record<PaymentOutcome['status'], string>>;

/** Formats a payment that was signed. */
export function formatPayment(
	payment: DescribedPayment,
	outcome: PaymentOutcome,
	signedTransaction: string | null,
) {
	const { status, transactionHash, fee, blockNumber, timestamp, reason } = outcome;
	const { from, to, token, symbol, decimals, value, amount, comment } = formatFacts(payment.facts);
	return {
		summary: formatSummary(payment, outcome, signedTransaction !== null),
		status,
		amount,
		symbol,
		from,
		to,
		comment,
		fee,
		reason,
		paymentId: payment.paymentId,
		chain: payment.chain,
		timestamp,
		transactionHash,
		blockNumber,
		token,
		decimals,
		value,
		signedTransaction,
	};
}

const OUTCOME_HINTS = {
	confirmed: undefined,
	failed: 'A payment failed: its item says why in `reason`.',
	unknown:
		'The outcome of a payment is unknown. Run Finish with its item: paying again may pay twice.',
} as const;

/** Returns a hint for a payment that went wrong, because its item is easily overlooked among others. */
export function findOutcomeHint({ status }: PaymentOutcome): string | undefined {
	return OUTCOME_HINTS[status];
}

/** Redacts the reason, because it quotes the node, which may repeat a secret. */
export function redactOutcome(
	outcome: PaymentOutcome,
	redact: (text: string) => string,
): PaymentOutcome {
	return { ...outcome, reason: outcome.reason === null ? null : redact(outcome.reason) };
}

export function formatFacts({ value, ...facts }: SignedPayment) {
	const amount =
		value === null || facts.decimals === null ? null : formatUnits(value, facts.decimals);
	return { ...facts, value: value === null ? null : String(value), amount };
}

const WORDS: OutcomeWords = {
	confirmed: 'Paid',
	failed: 'Not paid:',
	unknown: 'Perhaps paid:',
};

/** Describes the payment and its outcome in one sentence, followed by advice or the reason. */
function formatSummary(
	{ chain, facts, words = WORDS }: DescribedPayment,
	{ status, blockNumber, fee, reason }: PaymentOutcome,
	isSigned: boolean,
): string {
	const where = blockNumber === null ? '' : `, in block ${blockNumber}`;
	const cost = fee === null ? '' : `, for a fee of ${formatCoins(fee, FAMILIES[chain].coin)}`;
	const sentence = `${words[status]} ${formatWhat(facts)}${where}${cost}.`;
	if (status === 'unknown' && isSigned) return `${sentence} ${FINISH_ADVICE}`;
	return reason === null ? sentence : `${sentence} ${reason}`;
}

/** Formats the amount and the receiver. A token's address comes before its name, because many tokens use the same name. */
function formatWhat(facts: SignedPayment): string {
	const { token, symbol, to, comment } = facts;
	const { amount, value } = formatFacts(facts);
	if (value === null) return 'what the signed transaction says';
	const much = amount ?? `${value} of the smallest unit`;
	const quoted = quoteSymbol(symbol);
	const what =
		token === null
			? formatCoins(much, facts)
			: `${much} of the token ${token}${quoted === undefined ? '' : ` (${quoted})`}`;
	const said = comment === null ? '' : ' with a comment';
	return to === null ? what : `${what} to ${to}${said}`;
}

function formatCoins(amount: string, { symbol }: { readonly symbol: string | null }): string {
	return `${amount} ${symbol ?? (amount === '1' ? 'coin' : 'coins')}`;
}
