import { RequestFailure } from '../errors/requestFailure';
import { Stopped } from '../net/pacing/stop';
import { rethrow } from '../values/parse';
import type { PaymentOutcome } from './ownPayment';
import type { Patience } from './reader';
import { asFailure, undefinedIfFailed } from './sending';
import { waitUntil } from './waiting';

/** How long to wait for the outcome of a payment, and a function to call once the payment was sent. */
export interface SettleTerms {
	/** How many seconds to wait for the outcome after the payment was sent. */
	readonly seconds: number;
	/**
	 * Is called once after the first send, whether it succeeded or not. The chain is read only after the promise
	 * resolves.
	 */
	onSent?(): Promise<void> | void;
}

/** The functions of a chain family that send a signed payment and read its outcome. */
interface Settling<Known> extends SettleTerms {
	/** Returns the hash under which people find the payment; null if only the chain knows it and does not show it yet. */
	getHash(known: Known): string | null;
	/**
	 * Sends the signed bytes, which are carried out only once, however often they are sent. `isAgain` is true if the
	 * chain has lost them.
	 */
	send(isAgain: boolean): Promise<unknown>;
	/** The state before the first look-up. */
	readonly initial: Known;
	read(known: Known): Promise<Known>;
	/** How many calls the next look-up makes; 1 by default. */
	countCalls?(known: Known): number;
	isDecided(known: Known): boolean;
	/** Whether the chain does not have the payment yet, so that its bytes must be sent again. */
	isMissing(known: Known): Promise<boolean>;
	/** Describes in a sentence the state of a payment without an outcome. */
	describe(known: Known): string;
	formatOutcome(known: Known): Promise<PaymentOutcome>;
	/** Returns a note about the service, such as that its clock is wrong. */
	findHint?(known: Known): string | undefined;
}

interface SettlingState<Known> {
	readonly known: Known;
	/** How often the chain was read since the payment was last sent. */
	readonly looks: number;
	/** The reason why the node refused the payment when it was last sent. */
	readonly refusal: RequestFailure | undefined;
}

/** After this many look-ups, at one per second, the same bytes are sent again. */
const LOOKS_BEFORE_RESEND = 5;

/**
 * Sends a signed payment and waits for its outcome. Failures of the service and a stop are not thrown, because the
 * payment may still be carried out: the outcome is then `unknown`.
 */
export async function settle<Known>(
	context: Patience,
	payment: Settling<Known>,
): Promise<PaymentOutcome> {
	return await bringToEnd(context, payment).catch((failure) =>
		failure instanceof Stopped
			? buildUnknownOutcome(payment.getHash(payment.initial), STOPPED_WORDS)
			: rethrow(failure),
	);
}

/**
 * The reason for the outcome `unknown` of a payment whose run was stopped. The outcome is returned, so that the signed
 * payment is not lost.
 */
const STOPPED_WORDS = 'The run was stopped before the chain had decided.';

async function bringToEnd<Known>(
	context: Patience,
	payment: Settling<Known>,
): Promise<PaymentOutcome> {
	const refusal = await findRefusal(payment, false);
	await payment.onSent?.();
	const end = await waitUntil<SettlingState<Known>, SettlingState<Known>>(context, {
		seconds: payment.seconds,
		initial: { known: payment.initial, looks: 0, refusal },
		read: async (state) => await readOn(payment, state),
		isDone: (state): state is SettlingState<Known> => payment.isDecided(state.known),
		countCalls: ({ known }) => payment.countCalls?.(known) ?? 1,
	}).catch(asFailure);
	if (end instanceof RequestFailure)
		return buildUnknownOutcome(payment.getHash(payment.initial), formatFailure(end));
	const { known, refusal: latest } = end.known;
	const hint = payment.findHint?.(known);
	const withHint = (outcome: PaymentOutcome) =>
		hint === undefined ? outcome : { ...outcome, hint };
	if (end.isDone)
		return withHint(
			await payment
				.formatOutcome(end.known.known)
				.catch((thrown) =>
					buildUnknownOutcome(payment.getHash(known), formatFailure(asFailure(thrown))),
				),
		);
	const failure = end.failure && formatFailure(end.failure);
	const refused = latest && formatRefusal(latest);
	return withHint(
		buildUnknownOutcome(payment.getHash(known), failure, payment.describe(known), refused),
	);
}

async function findRefusal(
	{ send }: Pick<Settling<never>, 'send'>,
	isAgain: boolean,
): Promise<RequestFailure | undefined> {
	const sent = await send(isAgain).catch(asFailure);
	return sent instanceof RequestFailure ? sent : undefined;
}

async function readOn<Known>(
	payment: Settling<Known>,
	state: SettlingState<Known>,
): Promise<SettlingState<Known>> {
	const known = await payment.read(state.known);
	const looks = state.looks + 1;
	if (payment.isDecided(known) || looks <= LOOKS_BEFORE_RESEND) return { ...state, known, looks };
	const isMissing = await payment.isMissing(known).catch(undefinedIfFailed);
	if (isMissing === undefined) return { ...state, known, looks };
	return { known, looks: 0, refusal: isMissing ? await findRefusal(payment, true) : undefined };
}

function formatFailure({ message }: RequestFailure): string {
	return `The chain could not be read: ${asSentence(message)}`;
}

function formatRefusal({ message }: RequestFailure): string {
	return `When it was sent, the answer was: ${asSentence(message)}`;
}

function asSentence(words: string): string {
	return /[.!?…]$/.test(words) ? words : `${words}.`;
}

/** Tells the user what to do about a payment whose outcome is unknown. */
export const FINISH_ADVICE =
	'Do not pay again, but run Finish with its signedTransaction: it may still be carried out.';

/** Builds the outcome of a payment that may still be carried out. The sentences give the reason. */
export function buildUnknownOutcome(
	transactionHash: string | null,
	...sentences: ReadonlyArray<string | undefined>
): PaymentOutcome {
	return {
		status: 'unknown',
		transactionHash,
		fee: null,
		blockNumber: null,
		timestamp: null,
		reason: [...sentences, FINISH_ADVICE].filter((one) => one !== undefined).join(' '),
	};
}

/** Builds the outcome of a payment that can no longer be carried out. */
export function buildNeverOutcome(transactionHash: string | null, reason: string): PaymentOutcome {
	return {
		status: 'failed',
		transactionHash,
		fee: null,
		blockNumber: null,
		timestamp: null,
		reason,
	};
}
