import { addHints, sharedKey } from '../../../nodes/core';
import { getNumber, withNumber, type PreparedRequest } from '../core/prepared';
import { payOperation } from './client';
import type { PaymentPlace, PreparedPayment, SignedTransaction } from './families/family';
import { chain, paymentFields, payOptions, waitFor } from './fields';
import { findOutcomeHint, formatPayment, redactOutcome } from './payment';
import { PaymentRun, type RunPlace } from './paymentRun';
import { judgePayment, startPayment } from './start';

const PAYMENT_RUN = sharedKey('pay.run', () => new PaymentRun());

export const pay = payOperation({
	name: 'Pay',
	action: 'Pay coins or tokens',
	description:
		'Pay coins or a token within the rules of the credential, and wait until the chain has decided. It is sent at most once, which spends the amount and a fee. Its status is confirmed, failed or unknown; Finish brings an unknown one to its end.',
	builderHint: {
		propertyHint:
			'One item is one payment. An error means that nothing was signed; anything else is a `status`.',
	},
	fields: [chain, ...paymentFields, waitFor, payOptions],
	waits: true,
	reserve(p, context) {
		const started = startPayment(p, context);
		const turn = context.shared(PAYMENT_RUN).enrol();
		const release = () => {
			turn.pass();
			started.release();
		};
		return { ...started, turn, release };
	},
	async *run(p, context, { family, payer, place, turn }) {
		const own = await place;
		const prepared = await own.prepare();
		await judgePayment(p, context, { family, payer, prepared });
		addHints(context, prepared.hints);
		await turn.waitForAll(getNumber(prepared.request));
		const signed = await signInTurn(own, prepared, turn, async (signing) => {
			const answer = await context.call({ signing });
			return family.takeSigned(answer as Readonly<Record<string, unknown>>);
		});
		const outcome = await signed.follow({
			seconds: p.waitFor,
			onSent: async () => {
				turn.pass();
				// A payment that is signed at its turn waits long for others, and is followed meanwhile.
				if (!own.renew) await turn.waitForAllSent(MOST_SENDING_MS);
			},
		});
		const payment = { paymentId: p.paymentId || null, chain: p.chain, facts: prepared.facts };
		addHints(context, [findOutcomeHint(outcome)]);
		yield formatPayment(payment, redactOutcome(outcome, context.redact), signed.text);
	},
});

/** The outcomes of a run are asked for together, once all of it is sent; of a long run earlier. */
const MOST_SENDING_MS = 10_000;

type Sign = (request: PreparedRequest) => Promise<SignedTransaction>;

/**
 * Resolves once it may be sent. A transaction that expires is signed at its turn; any other while those before it are
 * sent.
 */
async function signInTurn(
	{ renew }: PaymentPlace,
	{ request }: PreparedPayment,
	turn: RunPlace,
	sign: Sign,
): Promise<SignedTransaction> {
	if (renew) await turn.waitForTurn();
	const signed = await turn.sign(async (number) => {
		const numbered = withNumber(request, number);
		return await sign(renew ? await renew(numbered) : numbered);
	});
	await turn.waitForTurn();
	return signed;
}
