import {
	addHints,
	isMissing,
	readOnce,
	sharedKey,
	type PaymentPlace,
	type PreparedPayment,
	type RunContext,
	type SignedTransaction,
} from '../../../nodes/core';
import { getNumber, withNumber, type PreparedRequest } from '../core/prepared';
import { buildItem, followSigned, takeSigned, type Settled } from './behindSignature';
import { payOperation } from './client';
import type { PayRequest } from './family';
import { chain, paymentFields, waitFor } from './fields';
import { payOptions } from './options';
import { PaymentRun, type RunPlace } from './paymentRun';
import { findMadeMeanwhile, judgePayment, startPayment, type StartedPayment } from './start';

type Context = RunContext<PayRequest>;

const PAYMENT_RUN = sharedKey('pay.run', () => new PaymentRun());

export const pay = payOperation({
	name: 'Pay',
	action: 'Pay coins or tokens',
	description:
		'Pay coins or a token within the rules of the credential, and wait until the chain has decided. The payment is sent at most once, and spends the amount and a fee. Its status is confirmed, failed or unknown. Use Finish for an unknown one.',
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
	async *run(p, context, { place, turn, ...started }) {
		const own = await place;
		const prepared = await own.prepare();
		turn.offer(getNumber(prepared.unsigned));
		const paying = { ...started, own, prepared, turn, seconds: p.waitFor };
		const settle = async () => {
			const found = await judgePayment(p, context, paying);
			addHints(context, prepared.hints);
			return await (found
				? followFound(context, found.signed, paying)
				: signAndFollow(context, paying));
		};
		const settled = started.mark.isShared
			? await settleOnce(context, p.paymentId, paying, settle)
			: await settle();
		const payment = { paymentId: p.paymentId || null, chain: p.chain, facts: prepared.facts };
		yield buildItem(context, payment, settled);
	},
});

interface Paying extends Pick<StartedPayment, 'family' | 'payer' | 'mark'> {
	readonly own: PaymentPlace<PreparedRequest>;
	readonly prepared: PreparedPayment<PreparedRequest>;
	readonly turn: RunPlace;
	/** How long to wait for the chain's confirmation. */
	readonly seconds: number;
}

const SETTLED_PAYMENTS = sharedKey('pay.settled', () => new Map<string, Promise<Settled>>());

/** Settles a payment once for all items of a run that have the same payment and the same ID. All of them get its outcome. */
async function settleOnce(
	context: Context,
	paymentId: string,
	{ prepared, turn }: Paying,
	settle: () => Promise<Settled>,
): Promise<Settled> {
	const { to, token, value, comment } = prepared.compared;
	const key = JSON.stringify([paymentId, to, token, String(value), comment]);
	const settled = context.shared(SETTLED_PAYMENTS);
	if (settled.has(key)) {
		turn.pass();
		addHints(context, [TWIN_HINT]);
	}
	return await readOnce(settled, key, settle);
}

const TWIN_HINT =
	'Several items pay the same with the same Payment ID: they are one payment, which is made once.';
const FOUND_HINT =
	'A payment was made already with the same Payment ID: its outcome is given, and nothing was signed.';

/** Waits for the outcome of a payment that another execution has already made. */
async function followFound(
	context: Context,
	signed: SignedTransaction,
	{ turn, seconds }: Paying,
): Promise<Settled> {
	turn.pass();
	addHints(context, [FOUND_HINT]);
	return await followSigned(signed, { seconds });
}

/** How long a sent payment waits for the other payments of the run to be sent. Then all outcomes are asked for together. */
const MOST_SENDING_MS = 10_000;

async function signAndFollow(context: Context, paying: Paying): Promise<Settled> {
	const { own, turn, seconds } = paying;
	await turn.waitForAll();
	const signed = await signInTurn(context, paying);
	const onSent = async () => {
		turn.pass();
		// A payment that can expire (it has `renewal`) is followed at once. All earlier payments are sent already, and
		// later payments may take long.
		if (isMissing(own.renewal)) await turn.waitForAllSent(MOST_SENDING_MS);
	};
	return await followSigned(signed, { seconds, onSent });
}

/**
 * Signs the payment when it is its turn, and resolves when it may be sent. If another execution has made a payment with the same ID
 * meanwhile, that transaction is returned.
 */
async function signInTurn(context: Context, paying: Paying): Promise<SignedTransaction> {
	const { prepared, turn, family } = paying;
	const { renewal } = paying.own;
	const expires = !isMissing(renewal);
	if (expires) await turn.waitForTurn();
	const signed = await turn.sign(async (number) => {
		const numbered = withNumber(prepared.unsigned, number);
		const signing = expires ? await renewal.renew(numbered) : numbered;
		const isApart = expires && renewal.isApart(signing, numbered);
		const made = isApart && (await findMadeMeanwhile(context, paying));
		if (made) return made;
		const answer = await context.call({ signing });
		return takeSigned(family, answer as Readonly<Record<string, unknown>>);
	});
	await turn.waitForTurn();
	return signed;
}
