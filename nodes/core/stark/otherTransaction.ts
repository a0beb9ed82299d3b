import { isSameMark } from '../chain/mark';
import { formatFelt, tryParseFelt } from './felts';
import { readMark } from './mark';
import { computeSelector } from './selectors';
import type { SentInvoke } from './sentInvoke';

type Json = Readonly<Record<string, unknown>>;

/** Whether two transactions of an account make the same calls. The marks that identify their payments may differ. */
function paysTheSame({ hashed }: SentInvoke, other: Json): boolean {
	const calldata = readCalldata(other);
	const isAsLong = calldata?.length === hashed.calldata.length;
	return isAsLong && hashed.calldata.every((felt, index) => felt === calldata[index]);
}

/** Whether another transaction of the account is the same payment: it has the same calls and the same payment mark. */
export function isSamePayment(own: SentInvoke, other: Json): boolean {
	return paysTheSame(own, other) && isSameMark(readMark(own.json), readMark(other));
}

/** Describes in a sentence another transaction, which has used the nonce of a payment. */
export function describeOther(other: Json, own: SentInvoke): string {
	const what = describeCalls(readCalldata(other));
	return paysTheSame(own, other)
		? `That transaction ${what} as well: it is another payment, with another Payment ID or without one.`
		: `That transaction ${what}.`;
}

function readCalldata({ calldata }: Json): bigint[] | undefined {
	const felts = Array.isArray(calldata) ? calldata.map(tryParseFelt) : [undefined];
	return felts.every((felt) => felt !== undefined) ? felts : undefined;
}

const TRANSFER_SELECTOR = computeSelector('transfer');
const HALF_BITS = 128n;

/**
 * Describes the calls of a transaction. In an account of Cairo 0, three numbers stand between the selector and the
 * arguments, and otherwise one.
 */
function describeCalls(calldata: readonly bigint[] = []): string {
	const [count, token, selector, ...rest] = calldata;
	const [to, low, high, ...more] = rest.slice(rest.length > 4 ? 3 : 1);
	const isTransfer = count === 1n && selector === TRANSFER_SELECTOR && more.length === 0;
	if (!isTransfer || token === undefined || to === undefined) return 'makes other calls';
	if (low === undefined || high === undefined) return 'makes other calls';
	const value = low + (high << HALF_BITS);
	return `sends ${value} of the smallest unit of the token ${formatFelt(token)} to ${formatFelt(to)}`;
}
