import { carriesMark, type PaymentMark } from '../chain/mark';
import type { RestReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { catching, InvalidValue, isRecord, rethrow } from '../values/parse';
import { isNotServed, throwIfError } from './answers';
import { readMark } from './mark';
import { decodeTransaction } from './transaction';

interface Marked {
	/** The account that must have signed the transaction, in hex (41…). */
	readonly from: string;
	readonly mark: PaymentMark;
}

/**
 * Reads the signed transaction of a payment, as JSON. Returns undefined if it belongs to another account or carries another payment mark.
 */
export async function readMarkedPayment(
	reader: RestReader,
	txID: string,
	{ from, mark }: Marked,
): Promise<object | undefined> {
	const found = await Promise.all(
		['gettransactionbyid', 'gettransactionfrompending'].map(
			async (method) => await ask(reader, method, txID),
		),
	);
	const json = found.find((one) => one !== undefined);
	// The transaction was found a moment ago. If it cannot be read, it may still be the payment, so this is an error.
	const transaction = catching(InvalidValue, () => decodeTransaction(json?.raw_data_hex));
	if (!json || transaction instanceof InvalidValue || transaction.txID !== txID)
		throw invalidResponseError(`the transaction ${txID}`, json);
	if (transaction.owner !== from || !carriesMark(readMark(transaction), mark)) return undefined;
	const { raw_data, raw_data_hex, signature } = json;
	return { visible: false, txID, raw_data, raw_data_hex, signature };
}

async function ask({ call }: RestReader, method: string, value: string) {
	const answer = await call({ path: `/wallet/${method}`, body: { value, visible: false } })
		.then(throwIfError)
		.catch((failure) => (isNotServed(failure) ? {} : rethrow(failure)));
	return isRecord(answer) && answer.txID !== undefined ? answer : undefined;
}
