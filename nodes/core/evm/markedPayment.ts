import { carriesMark, type PaymentMark } from '../chain/mark';
import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { objectOrNullParser } from './chainObjects';
import { readEffects } from './otherTransaction';
import { readMark } from './mark';
import { readVerifiedTransaction } from './verifiedTransaction';

interface Marked {
	/** The account that has signed the transaction. */
	readonly from: string;
	readonly mark: PaymentMark;
}

/**
 * Reads a signed transaction of an account, as 0x-hex; undefined if it belongs to another account or carries another mark.
 */
export async function readMarkedPayment(
	reader: RpcReader,
	hash: string,
	{ from, mark }: Marked,
): Promise<string | undefined> {
	const answer = await reader.call('eth_getTransactionByHash', [hash], { isFresh: true });
	const json = objectOrNullParser('a transaction')(answer);
	// It has just been listed: what cannot be read may be the payment.
	if (!json) throw invalidResponseError(`the transaction ${hash}`, answer);
	const effects = readEffects(json);
	if (!effects || String(json.from).toLowerCase() !== from.toLowerCase()) return undefined;
	if (!carriesMark(readMark(effects), mark)) return undefined;
	return (await readVerifiedTransaction(reader, hash))?.signed;
}
