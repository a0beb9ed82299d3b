import type { TokenPayment } from '../chain/arrival';
import type { JsonObject } from '../values/json';
import { decodeLoggedTransfer } from './abi/transferLog';
import { objectListParser } from './chainObjects';

const parseLogs = objectListParser('a receipt with its logs');

/** Lists what tokens have moved by the receipt of a transaction, whichever arguments of their events are indexed. Addresses are in lower case. */
export function listMovedTokens({ logs }: JsonObject): TokenPayment[] {
	return parseLogs(logs).flatMap(decodeReceiptLog);
}

function decodeReceiptLog({ address, topics, data }: JsonObject): TokenPayment[] {
	const given: readonly unknown[] = Array.isArray(topics) ? topics : [];
	const moved = decodeLoggedTransfer(given.map(String), String(data));
	return moved ? [{ ...moved, token: String(address).toLowerCase() }] : [];
}
