import { carriesMark, type PaymentMark } from '../chain/mark';
import type { MadePayment } from '../chain/ownPayment';
import { formatTonAddresses } from './address';
import { parseJettonTransfer, readComment } from './bodies';
import type { Cell } from './cell';
import { MARK_BITS } from './messages';
import { readOnlyMessage } from './otherTransfer';

/** Whether a signed body carries this payment mark. */
export function isMarkedPayment(body: Cell, mark: PaymentMark): boolean {
	const value = readOnlyMessage(body)?.mark;
	return value !== undefined && carriesMark({ value, bits: MARK_BITS }, mark);
}

/**
 * Whether a signed body makes this payment. The messages that the service reports are not trusted. The body does not
 * name the jetton, which therefore cannot be compared.
 */
export function makesPayment(body: Cell, made: MadePayment): boolean {
	const message = readOnlyMessage(body);
	const order = message?.body && parseJettonTransfer(message.body);
	const to = order ? order.to : message?.to;
	if (!message || !to || formatTonAddresses(to).raw !== made.to) return false;
	const { comment } = readComment(order ? order.forwardPayload : message.body);
	return (
		(order ? order.amount : message.amount) === made.value &&
		Boolean(order) === (made.token !== null) &&
		(comment ?? '') === (made.comment ?? '')
	);
}
