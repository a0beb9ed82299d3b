import { carriesMark, type PaymentMark } from '../chain/mark';
import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { catching, InvalidValue, isRecord } from '../values/parse';
import { encodeFelt, parseFeltNumber, tryParseFelt } from './felts';
import { readMark } from './mark';
import { readChainId } from './reader';
import { computeInvokeHash, parseSentInvoke } from './sentInvoke';

interface Marked {
	/** The account that has signed it. */
	readonly from: string;
	readonly mark: PaymentMark;
}

/** Reads a signed transaction of an account, as JSON; undefined where it is another's, or carries another mark. */
export async function readMarkedPayment(
	reader: RpcReader,
	hash: string,
	{ from, mark }: Marked,
): Promise<object | undefined> {
	const [answer, chainId] = await Promise.all([
		reader.call('getTransactionByHash', [encodeFelt(parseFeltNumber(hash))], { isFresh: true }),
		readChainId(reader),
	]);
	// It has just been listed: what cannot be read may be the payment.
	if (!isRecord(answer)) throw invalidResponseError(`the transaction ${hash}`, answer);
	if (tryParseFelt(answer.sender_address) !== parseFeltNumber(from)) return undefined;
	if (!carriesMark(readMark(answer), mark)) return undefined;
	const invoke = catching(InvalidValue, () => parseSentInvoke(answer));
	const isIt =
		!(invoke instanceof InvalidValue) &&
		(await computeInvokeHash(invoke, chainId)) === parseFeltNumber(hash);
	if (!isIt) throw invalidResponseError(`the transaction ${hash}`, answer);
	return { ...invoke.json, chainId: encodeFelt(chainId) };
}
