import { RequestFailure, type Retry } from '../errors/requestFailure';
import type { HttpAnswer, HttpRequest } from '../http/types';
import { isRecord, tryParseJson } from '../values/parseJson';
import { excerpt } from '../values/excerpt';
import { retryAfter } from '../pacing/retry';
import { requestLine } from '../http/networkErrors';
import { jsonOf, serviceMessage } from './serviceMessage';

/** The JSON of a good answer. Anything else fails, and leaves open whether the request was carried out. */
export function parseAnswer(request: HttpRequest, { status, text }: HttpAnswer): unknown {
	const body = tryParseJson(text);
	if (body !== undefined) return body;
	const what =
		text.trim() === ''
			? 'an empty body'
			: (serviceMessage(text) ?? 'text that is not complete JSON');
	throw new RequestFailure('The service returned an invalid response', {
		description: `${requestLine(request)} answered ${status} with ${what}.`,
		unsure: true,
	});
}

/** What a status other than success means, in the service's own words first. */
export function statusFailure(
	request: HttpRequest,
	{ status, headers, text }: HttpAnswer,
): RequestFailure {
	const words = serviceMessage(text);
	const hint = hintFor(status);
	return new RequestFailure(words ?? stockPhrase(status), {
		description: `${requestLine(request)} answered ${status}.${hint ? ` ${hint}` : ''}`,
		httpCode: status,
		retry: retryFor(status, headers['retry-after'], words),
		unsure: status >= 500,
		answer: jsonOf(text),
	});
}

function stockPhrase(status: number): string {
	if (status < 400) return 'The service redirected the request, and redirects are not followed';
	if (status === 401 || status === 403) return 'The service refused the credential';
	if (status === 404) return 'The service did not find what was asked for';
	if (status === 413) return 'The request is too large for the service';
	if (status === 429) return 'The service received too many requests';
	return status < 500
		? 'The service refused the request'
		: 'The service failed to handle the request';
}

function hintFor(status: number): string | undefined {
	if (status < 400) return 'Check the address in the credential.';
	if (status === 401 || status === 403) return 'Check the secret in the credential.';
	return undefined;
}

function retryFor(status: number, after: unknown, words = ''): Retry | undefined {
	const wait = retryAfter(after);
	if (isQuota(words)) return undefined;
	if (status === 429 || (status === 503 && wait !== undefined))
		return { because: 'limit', after: wait };
	return [502, 503, 504].includes(status) ? { because: 'lost' } : undefined;
}

/** A quota for a month or a day is not worth waiting for. */
export function isQuota(words: string): boolean {
	return /month|daily|per day/i.test(words) && /quota|limit|exceed|usage/i.test(words);
}

/** Refuses an answer that is not what the protocol promises. */
export function invalidResponse(promised: string, body: unknown): never {
	throw new RequestFailure(`The service did not answer with ${promised}`, {
		description: `It answered ${excerpt(body)}.`,
		unsure: true,
	});
}

/** Checks that the answer is an object with these keys. */
export function recordWith<Key extends string>(promised: string, ...keys: readonly Key[]) {
	return (body: unknown): Record<Key, unknown> & Record<string, unknown> => {
		const fits = isRecord(body) && keys.every((key) => body[key] !== undefined);
		return fits ? (body as Record<Key, unknown>) : invalidResponse(promised, body);
	};
}
