import { RequestFailure } from '../errors/requestFailure';
import { shortenMessage, findMessage } from '../net/responses/response';
import { formatExcerpt } from '../values/excerpt';
import { isRecord } from '../values/parse';

/** Throws the errors that come with status 200, of the chain or the service. */
export function throwIfError(body: unknown): unknown {
	const answer = throwIfException(body);
	if (!isRecord(answer)) return answer;
	const { result } = answer;
	if (isRecord(result) && result.result !== true) throwIfCoded(result);
	if (result === undefined || result === false) throwIfCoded(answer);
	return answer;
}

/** Throws the error that an answer reports in words, without a code. */
export function throwIfException(body: unknown): unknown {
	if (!isRecord(body)) return body;
	const { Error: refusal, error } = body;
	if (typeof refusal === 'string' || isRecord(refusal)) throw requestRefusedError(refusal);
	if (error) throw new RequestFailure(findMessage(body) ?? 'The service gave no reason');
	return body;
}

/** `class org.tron.core.exception.ContractValidateException : Witness[…] not exists` */
function requestRefusedError(error: string | object): RequestFailure {
	const short = findMessage(error) ?? 'The node gave no reason';
	const colon = short.indexOf(':');
	const name = colon > 0 && short.startsWith('class ') ? short.slice(6, colon).trim() : '';
	const words = name && short.slice(colon + 1).trim();
	const kind = name.slice(name.lastIndexOf('.') + 1);
	return new RequestFailure(words && words !== 'null' ? words : short, {
		description: `The chain node refused the request${kind ? ` (${kind})` : ''}.`,
	});
}

/** The chain's answer about signatures is not a refusal. */
const ANSWER_CODES = ['SUCCESS', 'ENOUGH_PERMISSION', 'NOT_ENOUGH_PERMISSION'];

/** `{"code": "CONTRACT_VALIDATE_ERROR", "message": "…"}`; objects of the chain have no code in capitals. */
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

/** A message of the chain, which is in hex when the request is not `visible`. */
export function decodeChainMessage(message: string): string {
	if (message.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(message)) return message;
	const decoded = Buffer.from(message.slice(0, 2000), 'hex').toString();
	return /[\p{Cc}\ufffd]/u.test(decoded.trim()) ? message : decoded;
}

/** Not every node has every method. It reports this by a status, or in a text with status 200. */
export function isNotServed(failure: unknown): boolean {
	if (!(failure instanceof RequestFailure)) return false;
	const { httpCode, message } = failure;
	if (httpCode !== undefined) return [404, 405, 501].includes(httpCode);
	return /\b(api|method|endpoint)\b.*\b(unavailable|closed|disabled|not)\b|\bnode does not support\b/i.test(
		message,
	);
}
