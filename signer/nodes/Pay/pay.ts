import { payOperation } from './client';
import { chain, paymentFields, payOptions, waitFor } from './fields';
import { formatPayment } from './payment';
import { PaymentRun } from './paymentRun';
import { judgePayment, startPayment } from './start';

const createRun = () => new PaymentRun();

export const pay = payOperation({
	name: 'Pay',
	action: 'Pay coins or tokens',
	description:
		'Pay coins or a token, within the rules of the credential: prepares, signs and sends the payment, at most once, which spends the amount and a fee, and waits until the chain has decided. An item says whether it is confirmed, failed or unknown; Finish brings an unknown one to its end.',
	fields: [chain, ...paymentFields, waitFor, payOptions],
	waits: true,
	reserve(p, context) {
		const started = startPayment(p, context);
		const turn = context.shared(createRun).enrol();
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
		await turn.waitForTurn();
		const signing = await own.renew(prepared);
		const answer = await context.call({ signing });
		const signed = family.takeSigned(answer as Readonly<Record<string, unknown>>);
		const outcome = await signed.follow({ seconds: p.waitFor, onSent: turn.pass });
		const payment = { paymentId: p.paymentId || null, chain: p.chain, facts: prepared.facts };
		yield formatPayment(payment, outcome, signed.text);
	},
});
