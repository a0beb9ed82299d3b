import { RequestFailure } from '../errors/requestFailure';
import { requestLine } from '../http/networkErrors';
import type { HttpRequest, HttpResponse } from '../http/types';
import { retryOf } from '../pacing/retry';
import { excerpt } from '../values/excerpt';
import { tryParseJson } from '../values/json';
import { isRecord } from '../values/read';

/** Invalid JSON leaves open whether the request was carried out. */
export function parseResponse(request: HttpRequest, { status, text }: HttpResponse): unknown {
	const body = tryParseJson(text);
	if (body !== undefined) return body;
	const words = serviceMessage(text) ?? 'text that is not complete JSON';
	const what = text.trim() === '' ? 'an empty body' : words;
	throw new RequestFailure('The service returned an invalid response', {
		description: `${requestLine(request)} answered ${status} with ${what}.`,
		maybeExecuted: true,
	});
}

/** The service's own words come first. */
export function statusFailure(
	request: HttpRequest,
	{ status, headers, text }: HttpResponse,
): RequestFailure {
	const words = serviceMessage(text);
	const hint = hintFor(status);
	return new RequestFailure(words ?? stockPhrase(status), {
		description: `${requestLine(request)} answered ${status}.${hint ? ` ${hint}` : ''}`,
		httpCode: status,
		retry: isQuota(words ?? '') ? undefined : retryOf(status, headers['retry-after']),
		maybeExecuted: status >= 500,
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

/** A quota by the day or the month is not waited for. */
export function isQuota(words: string): boolean {
	return /month|daily|per day/i.test(words) && /quota|limit|exceed|usage/i.test(words);
}

export function invalidResponse(promised: string, body: unknown): never {
	throw new RequestFailure(`The service did not answer with ${promised}`, {
		description: `It answered ${excerpt(body)}.`,
		maybeExecuted: true,
	});
}

/** Checks that a response is an object with these keys. */
export function recordWith<Key extends string>(promised: string, ...keys: readonly Key[]) {
	return (body: unknown): Record<Key, unknown> & Record<string, unknown> => {
		const fits = isRecord(body) && keys.every((key) => body[key] !== undefined);
		return fits ? (body as Record<Key, unknown>) : invalidResponse(promised, body);
	};
}

/** Of an error page. */
const MOST_READ = 100_000;
const LONGEST = 500;

/** The message in an error response, JSON or HTML; undefined if there is none. */
export function serviceMessage(body: string): string | undefined {
	const json = jsonOf(body);
	if (json !== undefined) return wordsIn(json);
	const words = plainWords(body.slice(0, MOST_READ).trim());
	return words && shortened(words);
}

/** The message in an error response that is parsed already. */
export function wordsIn(json: unknown): string | undefined {
	const words = jsonWords(json);
	return words && shortened(words);
}

/** Error responses are short; a long one is not worth parsing. */
function jsonOf(body: string): unknown {
	return body.length > MOST_READ ? undefined : tryParseJson(body);
}

/** Bounds what others wrote, for people and regular expressions. */
export function shortened(words: string): string {
	return words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words;
}

function jsonWords(body: unknown): string | undefined {
	if (typeof body === 'string') return asText(body);
	if (!isRecord(body)) return undefined;
	const { error, errors } = body;
	return (
		(isRecord(error) ? asText(error.message) : asText(error)) ??
		(Array.isArray(errors) ? errorList(errors) : undefined) ??
		asText(body.message) ??
		asText(body.detail) ??
		fieldErrors(body)
	);
}

function errorList(errors: readonly unknown[]): string | undefined {
	const messages = errors.map((error) => asText(isRecord(error) ? error.message : error));
	return joined(messages.filter((message) => message !== undefined));
}

/** For example `{"bucket_id": ["This field is required."]}`. */
function fieldErrors(body: Record<string, unknown>): string | undefined {
	const messages = Object.entries(body)
		.filter((entry): entry is [string, string[]] => isTexts(entry[1]))
		.map(([field, errors]) => `${field}: ${errors.join(' ')}`);
	return joined(messages);
}

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function joined(messages: readonly string[]): string | undefined {
	return messages.length > 0 ? messages.join('; ') : undefined;
}

function asText(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function plainWords(text: string): string | undefined {
	if (/^<(!doctype|html|head|body)/i.test(text)) return htmlTitle(text);
	return /^[{[]/.test(text) ? undefined : asText(text);
}

function htmlTitle(html: string): string | undefined {
	const tag = html.search(/<title/i);
	const start = tag < 0 ? -1 : html.indexOf('>', tag);
	const end = html.indexOf('<', start);
	if (start < 0 || end < 0) return undefined;
	return asText(html.slice(start + 1, end).replace(/\s+/g, ' '));
}
