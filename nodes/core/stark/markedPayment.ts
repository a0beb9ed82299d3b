import { carriesMark, type PaymentMark } from '../chain/mark';
import type { MadePayment } from '../chain/ownPayment';
import type { RpcReader } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import { catching, InvalidValue, isRecord } from '../values/parse';
import { encodeFelt, parseFeltNumber, tryParseFelt } from './felts';
import { readMark } from './mark';
import { readChainId } from './reader';
import { computeInvokeHash, parseSentInvoke, type SentInvoke } from './sentInvoke';
import { findTokenTransfer } from './signedPayment';

interface Marked {
	/** The account that must have signed the transaction. */
	readonly from: string;
	readonly mark: PaymentMark;
}

/**
 * Reads the signed transaction of a payment, as JSON. Returns undefined if it belongs to another account, carries
 * another mark, or pays something else.
 */
export async function readMarkedPayment(
	reader: RpcReader,
	made: MadePayment,
	{ from, mark }: Marked,
): Promise<object | undefined> {
	const { hash } = made;
	const [answer, chainId] = await Promise.all([
		reader.call('getTransactionByHash', [encodeFelt(parseFeltNumber(hash))], { isFresh: true }),
		readChainId(reader),
	]);
	// The transaction was found a moment ago. If it cannot be read, it may still be the payment, so this is an error.
	if (!isRecord(answer)) throw invalidResponseError(`the transaction ${hash}`, answer);
	if (tryParseFelt(answer.sender_address) !== parseFeltNumber(from)) return undefined;
	if (!carriesMark(readMark(answer), mark)) return undefined;
	const invoke = catching(InvalidValue, () => parseSentInvoke(answer));
	const isIt =
		!(invoke instanceof InvalidValue) &&
		(await computeInvokeHash(invoke, chainId)) === parseFeltNumber(hash);
	if (!isIt) throw invalidResponseError(`the transaction ${hash}`, answer);
	if (!makesPayment(invoke, made)) return undefined;
	return { ...invoke.json, chainId: encodeFelt(chainId) };
}

/**
 * Whether the calls of a transaction make this payment. Its events are not used, because the node could invent them.
 */
function makesPayment(invoke: SentInvoke, { to, token, value }: MadePayment): boolean {
	const own = findTokenTransfer(invoke);
	return own?.to === to && own.token === token && own.value === value;
}
