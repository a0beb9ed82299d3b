import type { TokenPayment } from '../chain/arrival';
import { invalidResponseError } from '../net/responses/response';
import { parseEvent } from './events';
import { formatFelt } from './felts';
import type { TransactionState } from './transactions';
import { decodeTransfer } from './transfers';

/** Lists the token transfers in the receipt of a transaction. The payment of its fee is one of them. */
export function listMovedTokens(receipt: TransactionState['receipt']): TokenPayment[] {
	const events: unknown = receipt?.events;
	if (!Array.isArray(events)) throw invalidResponseError('a receipt with its events', receipt);
	return events.flatMap((one: unknown) => {
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
