import type { Read } from '../core/values/read';
import { isRecord, tryParseJson } from '../core/values/parseJson';
import { unfit } from '../core/values/read';
import { json } from '../core/values/json';

interface SignedTransaction {
	/** Text goes to the chain as it was written: parsed and written again, large integers lose digits. */
	readonly body: string | object;
	readonly txID: string;
}

/** A transaction that may be broadcast, as JSON text or as the object that an expression gave. */
export const signedTransaction: Read<SignedTransaction> = (given) => {
	const isJson = typeof given === 'string';
	const value = isJson ? tryParseJson(given) : json(given);
	if (!isRecord(value)) return unfit('a signed transaction as a JSON object');
	const { txID, raw_data: data, raw_data_hex: hex, signature } = value;
	if (typeof txID !== 'string' || !/^[0-9a-f]{64}$/i.test(txID)) {
		return unfit('a transaction with its txID, 64 hex digits');
	}
	if (!isRecord(data) && (typeof hex !== 'string' || hex === '')) {
		return unfit('a transaction with its raw_data');
	}
	if (!isSignature(signature)) return unfit('a signed transaction: its signature is missing');
	return { body: isJson ? given.trim() : value, txID };
};

function isSignature(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0 && value.every(isText);
}

function isText(value: unknown): boolean {
	return typeof value === 'string' && value.trim() !== '';
}
