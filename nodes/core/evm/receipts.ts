import type { RpcCaller } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import type { JsonObject } from '../values/json';
import { isBlank } from '../values/parse';
import { objectOrNullParser } from './chainObjects';

/** Reads the receipt of a transaction that is in a block; null where it is not there yet. */
export async function readReceipt(reader: RpcCaller, hash: string): Promise<JsonObject | null> {
	const answer = await reader.call('eth_getTransactionReceipt', [hash], { isFresh: true });
	const receipt = objectOrNullParser('a receipt')(answer);
	if (receipt) checkReceipt(receipt, hash.toLowerCase());
	return receipt && !isBlank(receipt.blockNumber) ? receipt : null;
}

/** Refuses the receipt of another transaction. */
export function checkReceipt(receipt: JsonObject, hash: string): void {
	if (String(receipt.transactionHash).toLowerCase() !== hash)
		throw invalidResponseError('the receipt of this transaction', receipt);
}
