import type { TokenPayment } from '../chain/arrival';
import { parseEvent } from './events';
import { formatFelt } from './felts';
import type { TransactionState } from './transactions';
import { decodeTransfer } from './transfers';

/** Lists what tokens have moved by the receipt of a transaction, its fee among them. */
export function listMovedTokens(receipt: TransactionState['receipt']): TokenPayment[] {
	const events: readonly unknown[] = Array.isArray(receipt?.events) ? receipt.events : [];
	return events.flatMap((one) => {
		const moved = decodeTransfer(parseEvent(one));
		if (!moved) return [];
		const { from, to, value, event } = moved;
		return {
			token: formatFelt(event.contract),
			from: formatFelt(from),
			to: formatFelt(to),
			value,
		};
	});
}
