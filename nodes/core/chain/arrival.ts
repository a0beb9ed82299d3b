import { RequestFailure } from '../errors/requestFailure';
import type { PaymentOutcome } from './ownPayment';
import { formatTokenAmount, type TokenFacts } from './tokens';

/** A payment of a token. Each address has a single spelling, so that addresses can be compared as text. */
export interface TokenPayment {
	readonly token: string;
	readonly from: string;
	readonly to: string;
	/** The amount in the smallest unit. */
	readonly value: bigint;
}

/** The amounts of a token that a transaction moved, according to the token's own logs. */
export interface Arrival {
	/** The amount that the receiver got. */
	readonly arrived: bigint;
	/** The total amount that left the payer, to any receiver. */
	readonly left: bigint;
}

/**
 * Adds up the amounts that a payment moved. Some tokens move a payment by way of another account. So if the receiver
 * got nothing directly from the payer, all that the receiver got counts.
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

/**
 * Refuses an answer in which the transaction failed although its tokens arrived, because such an answer contradicts
 * itself.
 */
export function checkUndone({ value }: TokenPayment, { arrived }: Arrival): void {
	if (value > 0n && arrived >= value)
		throw new RequestFailure(
			'The chain node contradicts itself: it says that the transaction failed, and that the tokens of the transaction arrived',
			{ description: 'It is not clear whether the payment was made. Ask another chain node.' },
		);
}

/**
 * Judges whether a payment was made. Its transaction succeeded, but some tokens return false instead of reverting,
 * and some keep a share. The token's decimals are read only if the returned `reason` states amounts.
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
