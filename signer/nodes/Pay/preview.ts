import { addHints, rethrow } from '../../../nodes/core';
import { RuleRefusal } from '../../rules/refusal';
import { payOperation } from './client';
import { chain, paymentFields } from './fields';
import { previewOptions } from './options';
import { foundRefusal } from './guard';
import { formatFacts } from './payment';
import { judgePayment, startPayment } from './start';

export const preview = payOperation({
	name: 'Preview',
	action: 'Preview payment',
	description:
		'See what Pay would do with the same fields: who receives how much, the highest cost, and whether the rules allow the payment, or which rule forbids it. Nothing is signed or sent.',
	builderHint: {
		propertyHint: 'Takes the same fields as pay; go on to pay where `allowed` is true.',
	},
	fields: [chain, ...paymentFields, previewOptions],
	reserve: (p, context) => startPayment(p, context),
	async *run(p, context, { family, payer, mark, place }) {
		const own = await place;
		const prepared = await own.prepare();
		const judging = judgePayment(p, context, { family, payer, mark, prepared });
		const refusal = await judging.then((found) => found && foundRefusal(found), asRefusal);
		addHints(context, prepared.hints);
		const { facts, maxCost, summary } = prepared;
		const { from, to, token, symbol, decimals, value, amount, comment } = formatFacts(facts);
		yield {
			summary,
			allowed: refusal === undefined,
			rule: refusal?.rule ?? null,
			reason: refusal?.message ?? null,
			amount,
			symbol,
			from,
			to,
			comment,
			maxCost,
			paymentId: p.paymentId || null,
			chain: p.chain,
			token,
			decimals,
			value,
		};
	},
});

/** Returns the failure if a rule refused the payment, because a preview shows the refusal as its result. Throws any other failure. */
function asRefusal(failure: unknown): RuleRefusal {
	return failure instanceof RuleRefusal ? failure : rethrow(failure);
}
