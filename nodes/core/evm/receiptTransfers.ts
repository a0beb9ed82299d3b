import type { TokenPayment } from '../chain/arrival';
import { invalidResponseError } from '../net/responses/response';
import type { JsonObject } from '../values/json';
import { isBlank } from '../values/parse';
import { decodeLoggedTransfer } from './abi/transferLog';
import { objectListParser } from './chainObjects';

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
