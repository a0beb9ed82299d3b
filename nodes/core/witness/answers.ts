import { RequestFailure } from '../errors/requestFailure';
import { shortenMessage, findMessage } from '../net/responses/response';
import { formatExcerpt } from '../values/excerpt';
import { isRecord } from '../values/parse';

/** Throws if an answer with status 200 reports an error of the chain or of the service. */
export function throwIfError(body: unknown): unknown {
	const answer = throwIfException(body);
	if (!isRecord(answer)) return answer;
	const { result } = answer;
	if (isRecord(result) && result.result !== true) throwIfCoded(result);
	if (result === undefined || result === false) throwIfCoded(answer);
	return answer;
}

/** Throws if an answer reports an error in words, without a code. */
export function throwIfException(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const { Error: refusal, error } = body;
	if (typeof refusal === 'string' || isRecord(refusal)) throw requestRefusedError(refusal);
	if (error) throw new RequestFailure(findMessage(body) ?? 'The service gave no reason');
	return body;
}

/**
 * Makes an error from a text such as `class org.tron.core.exception.ContractValidateException : Witness[…] not
 * exists`.
 */
function requestRefusedError(error: string | object): RequestFailure {
	const short = findMessage(error) ?? 'The chain node gave no reason';
	const colon = short.indexOf(':');
	const name = colon > 0 && short.startsWith('class ') ? short.slice(6, colon).trim() : '';
	const words = name && short.slice(colon + 1).trim();
	const kind = name.slice(name.lastIndexOf('.') + 1);
	return new RequestFailure(words && words !== 'null' ? words : short, {
		description: `The chain node refused the request${kind ? ` (${kind})` : ''}.`,
	});
}

/** Codes that are not errors. The last two are answers about the signatures of a transaction. */
const ANSWER_CODES = ['SUCCESS', 'ENOUGH_PERMISSION', 'NOT_ENOUGH_PERMISSION'];

/**
 * Throws if an answer is an error such as `{"code": "CONTRACT_VALIDATE_ERROR", "message": "…"}`. Other objects have
 * no code in capitals.
 */
function throwIfCoded({ code, message }: Record<string, unknown>): void {
	if (typeof code !== 'string' || !/^[A-Z_]{3,60}$/.test(code) || ANSWER_CODES.includes(code))
		return;
	const words =
		typeof message === 'string' ? shortenMessage(decodeChainMessage(message).trim()) : '';
	throw new RequestFailure(words || `The chain node refused the request: ${code}`, {
		description: `The chain node refused the request with code ${formatExcerpt(code)}.`,
		answer: { code },
	});
}

/**
 * Decodes a message in a node's answer. Nodes write it in hex, unless the request set `visible` to get readable texts.
 */
export function decodeChainMessage(message: string): string {
	if (message.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(message)) return message;
	const decoded = Buffer.from(message.slice(0, 2000), 'hex').toString();
	return /[\p{Cc}\ufffd]/u.test(decoded.trim()) ? message : decoded;
}

/** Whether the node does not have the method. The node then answers with an error status, or with a text and status 200. */
export function isNotServed(failure: unknown): boolean {
	if (!(failure instanceof RequestFailure)) return false;
	const { httpCode, message } = failure;
	if (httpCode !== undefined) return [404, 405, 501].includes(httpCode);
	return /\b(api|method|endpoint)\b.*\b(unavailable|closed|disabled|not)\b|\bnode does not support\b/i.test(
		message,
	);
}
