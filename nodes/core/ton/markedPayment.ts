import { carriesMark, type PaymentMark } from '../chain/mark';
import type { Cell } from './cell';
import { MARK_BITS } from './messages';
import { readOnlyMessage } from './otherTransfer';

/** Whether a signed body carries a mark. */
export function isMarkedPayment(body: Cell, mark: PaymentMark): boolean {
	const value = readOnlyMessage(body)?.mark;
	return value !== undefined && carriesMark({ value, bits: MARK_BITS }, mark);
}
