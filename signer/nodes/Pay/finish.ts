import { addHints, markHandled, readSaid } from '../../../nodes/core';
import { payOperation } from './client';
import { openFamily } from './families/families';
import { chain, finishOptions, signedTransaction, waitFor } from './fields';
import { findOutcomeHint, formatFacts, formatPayment, redactOutcome } from './payment';
import { checkSaid } from './said';

export const finish = payOperation({
	name: 'Finish',
	action: 'Finish unknown payment',
	description:
		'Bring a payment whose status is unknown to its end: send the same signed transaction again if the chain does not know it, and wait. Nothing new is signed, so nothing is paid twice.',
	builderHint: {
		propertyHint: 'Takes the item of pay whose `status` is unknown, at once or days later.',
	},
	fields: [chain, signedTransaction, waitFor, finishOptions],
	waits: true,
	async *run(p, context) {
		const family = openFamily(p.chain, context, p.options);
		const signed = family.parseSigned(p.signedTransaction);
		const reading = signed.read();
		markHandled(reading);
		const said = readSaid(p.signedTransaction);
		if (said) checkSaid(said, p.chain, { ...signed.fields, ...formatFacts(await reading) });
		const [facts, outcome] = await Promise.all([reading, signed.follow({ seconds: p.waitFor })]);
		const payment = { paymentId: null, chain: p.chain, facts };
		addHints(context, [findOutcomeHint(outcome)]);
		yield formatPayment(payment, redactOutcome(outcome, context.redact), signed.text);
	},
});
