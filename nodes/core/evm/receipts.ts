import type { TokenPayment } from '../chain/arrival';
import type { RpcCaller } from '../chain/reader';
import { invalidResponseError } from '../net/responses/response';
import type { JsonObject } from '../values/json';
import { isBlank } from '../values/parse';
import { decodeLoggedTransfer } from './abi/transferLog';
import { objectListParser, objectOrNullParser } from './chainObjects';

/** Reads the receipt of a transaction; null if the transaction is not in a block. */
export async function readReceipt(reader: RpcCaller, hash: string): Promise<JsonObject | null> {
	const answer = await reader.call('eth_getTransactionReceipt', [hash], { isFresh: true });
	const receipt = objectOrNullParser('a receipt')(answer);
	if (receipt) checkReceipt(receipt, hash.toLowerCase());
	return receipt && !isBlank(receipt.blockNumber) ? receipt : null;
}

/** Throws if the receipt belongs to another transaction. */
export function checkReceipt(receipt: JsonObject, hash: string): void {
	if (String(receipt.transactionHash).toLowerCase() !== hash)
		throw invalidResponseError('the receipt of this transaction', receipt);
}

const parseLogs = objectListParser('a receipt with its logs');

/**
 * Lists the tokens that moved, by the receipt of a transaction. Any arguments of their events may be indexed. Addresses
 * are in lower case.
 */
export function listMovedTokens({ logs, transactionHash }: JsonObject): TokenPayment[] {
	const own = parseLogs(logs);
	if (!own.every((log) => isOf(transactionHash, log)))
		throw invalidResponseError('the logs of the transaction that was asked for', logs);
	return own.flatMap(decodeReceiptLog);
}

/**
 * Whether a log belongs to the transaction. A node may return logs of other transactions, or of blocks that left the
 * chain.
 */
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
