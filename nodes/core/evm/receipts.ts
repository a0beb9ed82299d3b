import type { TokenPayment } from '../chain/arrival';
import type { RpcCaller } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import type { JsonObject } from '../values/json';
import { isBlank } from '../values/parse';
import { decodeLoggedTransfer } from './abi/transferLog';
import { objectListParser, objectOrNullParser } from './chainObjects';

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

const parseLogs = objectListParser('a receipt with its logs');

/** Lists what tokens have moved by the receipt of a transaction, whichever arguments of their events are indexed. Addresses are in lower case. */
export function listMovedTokens({ logs, transactionHash }: JsonObject): TokenPayment[] {
	const own = parseLogs(logs);
	if (!own.every((log) => isOf(transactionHash, log)))
		throw invalidResponseError('the logs of the transaction that was asked for', logs);
	return own.flatMap(decodeReceiptLog);
}

/** A log may be another transaction's, or that of a block that is no longer on the chain. */
function isOf(hash: unknown, { transactionHash: named, removed }: JsonObject): boolean {
	return removed !== true && (isBlank(named) || isSameHash(named, hash));
}

function isSameHash(one: unknown, other: unknown): boolean {
	return String(one).toLowerCase() === String(other).toLowerCase();
}

function decodeReceiptLog({ address, topics, data }: JsonObject): TokenPayment[] {
	const given: readonly unknown[] = Array.isArray(topics) ? topics : [];
	const moved = decodeLoggedTransfer(given.map(String), String(data));
	return moved ? [{ ...moved, token: String(address).toLowerCase() }] : [];
}
