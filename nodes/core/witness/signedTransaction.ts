import { createHash } from 'crypto';
import { refuseOtherFields, takeTransaction } from '../chain/item';
import {
	parseJsonValue,
	stringifyExactJson,
	tryParseUniqueJson,
	type JsonObject,
} from '../values/json';
import { catching, InvalidValue, isRecord, trimText, type Parse } from '../values/parse';
import { decodeExpiration } from './transaction';

export interface SignedTransaction {
	/** The JSON text to send. A given text is not parsed and written again, because large integers would lose digits. */
	readonly body: string;
	/** The hash of the transaction's bytes, in lower case. */
	readonly txID: string;
	/**
	 * The time until which the chain accepts the transaction, in milliseconds since 1970. Undefined if it cannot be
	 * read.
	 */
	readonly expiration: bigint | undefined;
}

/** Parses a signed transaction, alone or inside an n8n item. If it contains its bytes, its ID must be their hash. */
export const parseSignedTransaction: Parse<SignedTransaction> = (given) => {
	const whole = typeof given === 'string' ? tryParseUniqueJson(given) : parseJsonValue(given);
	if (!isRecord(whole)) throw new InvalidValue(EXPECTED_TRANSACTION);
	const value = takeOutOfItem(whole);
	const isJson = typeof given === 'string' && value === whole;
	const { txID, raw_data: data, raw_data_hex: hex = '', signature } = value;
	if (typeof txID !== 'string' || !/^[0-9a-f]{64}$/i.test(txID)) {
		throw new InvalidValue('a transaction with its txID, 64 hex digits');
	}
	if (!isRecord(data) && hex === '') {
		throw new InvalidValue('a transaction with its raw_data');
	}
	if (!isSignature(signature))
		throw new InvalidValue('a signed transaction: its signature is missing');
	if (hex !== '') checkHash(txID, hex);
	return {
		body: isJson ? given.trim() : stringifyExactJson(withIntegers(value)),
		txID: txID.toLowerCase(),
		expiration: hex === '' ? readExpiration(data) : findExpiration(hex),
	};
};

/** Takes a transaction out of its item. The summary beside it is left out, because it is not sent. */
function takeOutOfItem(whole: JsonObject): JsonObject {
	const taken = takeTransaction(whole, 'transaction');
	if (!isRecord(taken)) throw new InvalidValue(EXPECTED_TRANSACTION);
	refuseOtherFields(taken, TRANSACTION_KEYS);
	if (taken.summary === undefined) return taken;
	return Object.fromEntries(Object.entries(taken).filter(([name]) => name !== 'summary'));
}

/** The fields of a transaction as nodes build it, without its signature. */
const TRANSACTION_KEYS = ['visible', 'txID', 'raw_data', 'raw_data_hex'];
const EXPECTED_TRANSACTION = 'a signed transaction as a JSON object';

const BYTES_PATTERN = /^(?:[0-9a-f]{2})+$/i;

function checkHash(txID: string, hex: unknown): void {
	if (typeof hex !== 'string' || !BYTES_PATTERN.test(hex))
		throw new InvalidValue('a transaction with its raw_data_hex');
	const hash = createHash('sha256').update(Buffer.from(hex, 'hex')).digest('hex');
	if (hash !== txID.toLowerCase())
		throw new InvalidValue('a transaction whose txID is the hash (SHA-256) of its raw_data_hex');
}

/**
 * Reads the expiration from the bytes, which are what the chain reads. Returns undefined if the bytes are of a rare
 * kind whose fields are not known here.
 */
function findExpiration(hex: unknown): bigint | undefined {
	const found = catching(InvalidValue, () => decodeExpiration(hex));
	return found instanceof InvalidValue || found === 0n ? undefined : found;
}

/** Reads the expiration from the JSON of a transaction without bytes. A node makes the bytes from this JSON. */
function readExpiration(data: unknown): bigint | undefined {
	const time = isRecord(data) ? data.expiration : undefined;
	const isTime =
		Number.isSafeInteger(time) || (typeof time === 'string' && /^\d{1,16}$/.test(time));
	return isTime ? BigInt(time as number | string) : undefined;
}

const INTEGER_KEYS = [
	'amount',
	'vote_count',
	'frozen_balance',
	'unfreeze_balance',
	'balance',
	'fee_limit',
	'call_value',
	'call_token_value',
	'token_id',
];

/**
 * Changes integers that are text back to numbers. Items have integers above 2^53 as text, but the chain accepts only
 * numbers.
 */
function withIntegers(value: unknown, key = ''): unknown {
	if (Array.isArray(value)) return value.map((one) => withIntegers(one));
	if (isRecord(value)) {
		const entries = Object.entries(value).map(([name, one]) => [name, withIntegers(one, name)]);
		return Object.fromEntries(entries) as unknown;
	}
	const isInteger =
		INTEGER_KEYS.includes(key) && typeof value === 'string' && /^\d{16,19}$/.test(value);
	return isInteger ? BigInt(value) : value;
}

function isSignature(value: unknown): boolean {
	return Array.isArray(value) && value.length > 0 && value.every((one) => trimText(one) !== '');
}
