import { carriesMark, type PaymentMark } from '../chain/mark';
import type { MadePayment } from '../chain/ownPayment';
import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { objectOrNullParser } from './chainObjects';
import { readPaymentEffects, type PaymentEffects } from './otherTransaction';
import { readMark } from './mark';
import { findTokenTransfer } from './signedPayment';
import { readVerifiedTransaction } from './verifiedTransaction';

interface Marked {
	/** The account that has signed the transaction. */
	readonly from: string;
	readonly mark: PaymentMark;
}

/**
 * Reads the signed transaction of a payment, as 0x-hex; undefined if its sender, its mark or what it pays differs from
 * the expected values.
 */
export async function readMarkedPayment(
	reader: RpcReader,
	made: MadePayment,
	{ from, mark }: Marked,
): Promise<string | undefined> {
	const { hash } = made;
	const answer = await reader.call('eth_getTransactionByHash', [hash], { isFresh: true });
	const json = objectOrNullParser('a transaction')(answer);
	// The node has just listed the transaction, so a missing answer must not be taken for a different payment.
	if (!json) throw invalidResponseError(`the transaction ${hash}`, answer);
	const effects = readPaymentEffects(json);
	if (!effects || String(json.from).toLowerCase() !== from.toLowerCase()) return undefined;
	if (!carriesMark(readMark(effects), mark)) return undefined;
	if (!makesPayment(effects, made)) return undefined;
	return (await readVerifiedTransaction(reader, hash))?.signed;
}

function makesPayment(effects: PaymentEffects, { to, token, value }: MadePayment): boolean {
	const own = findTokenTransfer(effects) ?? { token: null, ...effects };
	return own.to === to && own.token === token && own.value === value;
}
