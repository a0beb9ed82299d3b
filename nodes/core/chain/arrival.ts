import { RequestFailure } from '../errors/requestFailure';
import type { PaymentOutcome } from './ownPayment';
import { formatTokenAmount, type TokenFacts } from './tokens';

/** A payment of a token. Addresses have the one spelling in which their family compares them. */
export interface TokenPayment {
	readonly token: string;
	readonly from: string;
	readonly to: string;
	/** The amount in the smallest unit. */
	readonly value: bigint;
}

/** What a token has moved by the transaction of a payment, by its own logs. */
export interface Arrival {
	/** What the receiver got. */
	readonly arrived: bigint;
	/** The total that the payer gave to all receivers. */
	readonly left: bigint;
}

/**
 * Adds up what the token of a payment has moved. Some tokens move a payment by way of another account. So if nothing
 * came from the payer directly, everything that the receiver got counts.
 */
export function sumArrival(
	{ token, from, to }: TokenPayment,
	transfers: readonly TokenPayment[],
): Arrival {
	const own = transfers.filter((one) => one.token === token);
	const left = sum(own.filter((one) => one.from === from));
	const received = own.filter((one) => one.to === to);
	const direct = sum(received.filter((one) => one.from === from));
	const indirect = left > 0n ? sum(received) : 0n;
	return { arrived: direct > 0n ? direct : indirect, left };
}

function sum(transfers: readonly TokenPayment[]): bigint {
	return transfers.reduce((total, { value }) => total + value, 0n);
}

/** Refuses a receipt by which a transaction was undone and its tokens arrived all the same: it says nothing that can be relied on. */
export function checkUndone({ value }: TokenPayment, { arrived }: Arrival): void {
	if (value > 0n && arrived >= value)
		throw new RequestFailure(
			'The service says that the transaction failed, and that its tokens arrived',
		);
}

/**
 * Says whether a payment was made whose transaction succeeded: some tokens return false in place of reverting, and some keep a
 * share. The facts of the token are read where amounts are told.
 */
export async function judgeArrival(
	wanted: bigint,
	{ arrived, left }: Arrival,
	readFacts: () => Promise<TokenFacts | undefined>,
): Promise<Pick<PaymentOutcome, 'status' | 'reason'>> {
	if (arrived >= wanted) return { status: 'confirmed', reason: null };
	if (left === 0n && arrived === 0n) return { status: 'failed', reason: MOVED_NOTHING };
	const facts = await readFacts();
	const format = (amount: bigint) =>
		(facts && formatTokenAmount(amount, facts)) ?? `${amount} of the smallest unit`;
	return arrived === 0n
		? {
				status: 'failed',
				reason: `It is on the chain, and nothing arrived: the token took ${format(left)} from the payer, and by its own logs none of it went to the receiver.`,
			}
		: {
				status: 'confirmed',
				reason: `Of ${format(wanted)}, ${format(arrived)} arrived, by the token's own logs.`,
			};
}

const MOVED_NOTHING =
	'It is on the chain, and by its own logs the token moved nothing from the payer to the receiver. Some tokens refuse in this way, without reverting.';
