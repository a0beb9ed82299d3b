import { adviceToSendTheSame, RequestFailure } from '../core/errors/requestFailure';
import type { Field } from '../core/operation/field';
import { atMostOnceOptions } from '../core/operation/transportOptions';
import { throwInvalidResponse, shortenMessage } from '../core/transport/responses/response';
import { rest } from '../core/transport/rest/rest';
import { formatExcerpt } from '../core/values/excerpt';
import { stringifyExactJson, parseJsonValue, tryParseJson } from '../core/values/json';
import { isRecord, throwInvalidValue, trimText, type Parse } from '../core/values/parse';
import { decodeChainMessage, throwIfException } from '../core/witness/answers';

interface SignedTransaction {
	/** Text is sent as written: parsing would lose the digits of large integers. */
	readonly body: string;
	readonly txID: string;
}

const parseSignedTransaction: Parse<SignedTransaction> = (given) => {
	const isJson = typeof given === 'string';
	const value = isJson ? tryParseJson(given) : parseJsonValue(given);
	if (!isRecord(value)) return throwInvalidValue('a signed transaction as a JSON object');
	const { txID, raw_data: data, raw_data_hex: hex, signature } = value;
	if (typeof txID !== 'string' || !/^[0-9a-f]{64}$/i.test(txID)) {
		return throwInvalidValue('a transaction with its txID, 64 hex digits');
	}
	if (!isRecord(data) && (typeof hex !== 'string' || hex === '')) {
		return throwInvalidValue('a transaction with its raw_data');
	}
	if (!isSignature(signature))
		return throwInvalidValue('a signed transaction: its signature is missing');
	return { body: isJson ? given.trim() : stringifyExactJson(withIntegers(value)), txID };
};

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

/** An item holds integers above 2^53 as text; the chain takes numbers only. */
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

const transaction = {
	displayName: 'Transaction',
	name: 'transaction',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. {"txID": "…", "raw_data": {…}, "signature": ["…"]}',
	description:
		'The signed transaction as JSON: what this node built, with its signature. It is sent as it is.',
	parse: parseSignedTransaction,
} as const satisfies Field;

export const broadcast = rest({
	name: 'Broadcast',
	action: 'Broadcast a signed transaction',
	description:
		'Send a signed transaction to the chain, which spends its fee and what it pays. It is carried out at most once.',
	fields: [transaction, atMostOnceOptions()],
	atMostOnce: true,
	advice: adviceToSendTheSame,
	request: (p) => ({ path: '/wallet/broadcasttransaction', body: p.transaction.body }),
	answer: parseAccepted,
	items: (answer, p) => {
		const sent = p.transaction.txID.toLowerCase();
		const answered = answer.txid ?? sent;
		const isOwn = typeof answered === 'string' && answered.toLowerCase() === sent;
		return isOwn ? [{ result: true, txid: sent }] : throwOtherId(answered, sent);
	},
});

function throwOtherId(answered: unknown, sent: string): never {
	throw new RequestFailure(
		`The node says that it accepted another transaction: ${formatExcerpt(answered)} instead of ${sent}`,
		{
			description:
				'It accepted a transaction, so what was sent may be under way all the same. Look both IDs up, at another node too.',
			maybeExecuted: true,
		},
	);
}

/** Only `result: true` is success; a refusal may have no `result` at all. */
function parseAccepted(body: unknown): { readonly txid?: unknown } {
	const answer = throwIfException(body);
	if (isRecord(answer) && answer.result === true) return answer;
	if (isRecord(answer) && (answer.code ?? answer.message) !== undefined) {
		throw broadcastRefusedError(answer);
	}
	return throwInvalidResponse('the outcome of the broadcast', body);
}

/** Codes after which the node may have passed the transaction on. */
const UNSURE_CODES = ['NOT_ENOUGH_EFFECTIVE_CONNECTION', 'OTHER_ERROR'];

const CODE_ADVICE: Readonly<Record<string, string>> = {
	DUP_TRANSACTION_ERROR:
		'The node has seen this transaction before: look up what became of it by its ID.',
	SIGERROR: 'Sign with the key of the owner, and change nothing afterwards.',
	TAPOS_ERROR: 'Build the transaction again, then sign and broadcast it.',
	TRANSACTION_EXPIRATION_ERROR:
		'A transaction expires after a minute: build it again, then sign and broadcast it at once.',
};

function broadcastRefusedError({ code, message }: Record<string, unknown>): RequestFailure {
	const kind = typeof code === 'string' ? shortenMessage(code) : formatExcerpt(code ?? 'unknown');
	const words =
		typeof message === 'string' ? shortenMessage(decodeChainMessage(message).trim()) : '';
	const advice = Object.hasOwn(CODE_ADVICE, kind) ? CODE_ADVICE[kind] : undefined;
	return new RequestFailure(words || `The node did not accept the transaction: ${kind}`, {
		description: `The broadcast failed with code ${kind}.${advice ? ` ${advice}` : ''}`,
		maybeExecuted: UNSURE_CODES.includes(kind),
	});
}
